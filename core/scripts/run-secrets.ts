import type { JsonObject } from '#contract';
import { tokenSet } from '../auth-modes/token-set.ts';
import { SecretHider } from '../catalogue/plugins/hide-secrets.ts';
import type { Connection } from '../connections/connection.ts';
import { parseJson } from '../kit/exact-json.ts';
import type { RunSubject } from './subject.ts';

/**
 * A function that removes the secrets of the run's connection and integration, and the variables that the script has read, from a
 * text.
 */
export type Hide = (text: string) => string;

/**
 * Returns a function that hides a run's secrets. A script sees the webhook secret, variables, which are often secrets of other
 * services, and credentials echoed by a provider: none of them may be logged. Texts shorter than eight characters are not
 * replaced.
 *
 * @param before the connection at the start of the run; its credentials may have been refreshed since
 * @param variables values of the variables that the script has read
 */
export function hiderOf({ integration, connection }: RunSubject, before: Connection, variables: Iterable<string>): Hide {
  const { client, secretConfig } = integration;
  const app = [client.webhookSecret, client.previousWebhookSecret?.secret, client.clientSecret, client.privateKey];
  const configured = [...textsIn(secretConfig), ...textsIn(before.secretConfig)];
  const further = [...app.filter((secret) => secret !== undefined), ...configured, ...variables];
  const hiders = new Set([before, connection]).values().map(({ credentials }) => new SecretHider(tokenSet(credentials), further));
  const all = hiders.toArray();
  return (text) => all.reduce((hidden, hider) => hider.text(hidden), text);
}

function textsIn(config: JsonObject): string[] {
  return Object.values(config).filter((value) => typeof value === 'string');
}

/** Returns a copy of plain data without the secrets. */
export function hidden<T>(value: T, hide: Hide): T {
  return parseJson(JSON.stringify(value, (_name, member) => (typeof member === 'string' ? hide(member) : member)));
}
