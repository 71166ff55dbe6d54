import { type IncomingWebhook, isObject, type WebhookEvent } from '#contract';
import { CONNECTION_ID_PARAMETER } from '../connections/integrations/webhook-address.ts';
import type { Logger } from '../kit/logger.ts';
import type { Receiver } from './receivers.ts';

/** A call of a function of the plugin's webhook rules; `rule` is the name of the function. */
interface PluginCall<T> {
  readonly rule: string;
  readonly run: () => T;
  /** The result when the function throws. */
  readonly fallback: T;
}

/**
 * Runs a function of the plugin that is not essential, since a plugin's bug must not lose the delivery.
 *
 * Of an error only the position is logged, because its message may quote the delivery, which may contain secrets.
 */
export function askPlugin<T>(
  { log }: { readonly log: Logger },
  { integration }: Receiver,
  { rule, run, fallback }: PluginCall<T>,
): T {
  try {
    return run();
  } catch (error) {
    const facts = { rule: `webhook.${rule}`, provider: integration.provider, at: placeOf(error) };
    log.error('a plugin failed to process a delivery', facts);
    return fallback;
  }
}

/**
 * Reads the events of a delivery; if the plugin fails, returns a single one with the whole payload, for no connection.
 *
 * @returns events, without `payload` if it is the whole payload of the delivery
 */
export function eventsOf(
  deps: { readonly log: Logger; readonly clientPrefix?: string | undefined },
  receiver: Receiver,
  webhook: IncomingWebhook,
): readonly WebhookEvent[] {
  const renamed = withOurNames(webhook, deps.clientPrefix);
  const run = () => checked(receiver.rules.events(renamed));
  const events = askPlugin(deps, receiver, { rule: 'events', run, fallback: [{ connections: [] }] });
  // The original payload is forwarded, not the one passed to the plugin.
  return events.map((event) => (event.payload === renamed.payload ? { ...event, payload: undefined } : event));
}

/** Checks the events at run time: plugins are written by others, and nothing checks the types of their code. @throws TypeError */
function checked(events: readonly WebhookEvent[]): readonly WebhookEvent[] {
  const isList = Array.isArray(events) && events.every((event) => Array.isArray(event?.connections));
  if (isList) return events;
  throw new TypeError('events must return a list of {connections, payload?}');
}

function placeOf(error: unknown): string[] {
  if (!(error instanceof Error)) return ['something that is not an Error'];
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames.slice(0, 5).map((frame) => frame.trim())];
}

/**
 * Adds the connection ID under the service's name for it. Webhooks that were registered for another product, whose API svc also
 * serves, carry the ID under a name with that product's prefix, in the URL or in the body. A value that is already present under
 * the service's name stays.
 *
 * @param prefix `SVC_CLIENT_PREFIX` in lower case
 */
function withOurNames(webhook: IncomingWebhook, prefix: string | undefined): IncomingWebhook {
  if (prefix === undefined) return webhook;
  const theirs = `${prefix}ConnectionId`;
  const { query, payload } = webhook;
  return {
    ...webhook,
    query: renamed(query, theirs) ?? query,
    payload: isObject(payload) ? (renamed(payload, theirs) ?? payload) : payload,
  };
}

function renamed<T>(members: Readonly<Record<string, T>>, theirs: string): Record<string, T> | undefined {
  const value = Object.hasOwn(members, theirs) ? members[theirs] : undefined;
  if (value === undefined || Object.hasOwn(members, CONNECTION_ID_PARAMETER)) return undefined;
  return { ...members, [CONNECTION_ID_PARAMETER]: value };
}
