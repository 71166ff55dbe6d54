import type { JsonObject } from '#contract';
import { tokenSet } from '../auth-modes/token-set.ts';
import type { Connection } from '../connections/connection.ts';
import { SecretHider } from '../plugin-host/hide-secrets.ts';
import type { RunSubject } from './subject.ts';

/** Takes out of a text what the run's connection and integration keep secret. */
export type Hide = (text: string) => string;

/**
 * A script sees the webhook secret, and whatever a provider repeats of what it was sent: neither belongs into a log.
 *
 * @param before the connection as the run began; its credentials may have been renewed since
 */
export function hiderOf({ integration, connection }: RunSubject, before: Connection): Hide {
  const { client, secretConfig } = integration;
  const app = [client.webhookSecret, client.previousWebhookSecret?.secret, client.clientSecret, client.privateKey];
  const further = [...app.filter((secret) => secret !== undefined), ...textsIn(secretConfig), ...textsIn(before.secretConfig)];
  const hiders = new Set([before, connection]).values().map(({ credentials }) => new SecretHider(tokenSet(credentials), further));
  const all = hiders.toArray();
  return (text) => all.reduce((hidden, hider) => hider.text(hidden), text);
}

function textsIn(config: JsonObject): string[] {
  return Object.values(config).filter((value) => typeof value === 'string');
}
