import type { IncomingWebhook, WebhookEvent, WebhookRules } from '#contract';
import type { Logger } from '../kit/logger.ts';
import { underOurNames } from './client-names.ts';
import type { Receiver } from './receivers.ts';

/** Runs a function of the plugin's webhook part; where it throws, that is logged and `otherwise` holds. */
export type AskPlugin = <T>(rule: string, run: () => T, otherwise: T) => T;

/**
 * For functions that nothing hangs on but what becomes of the delivery: a plugin's bug must not lose it.
 *
 * Of what is thrown only the place is logged. The text may quote the delivery, and that may hold secrets.
 */
export function askPlugin({ log }: { readonly log: Logger }, { integration }: Receiver): AskPlugin {
  return (rule, run, otherwise) => {
    try {
      return run();
    } catch (error) {
      log.error('a plugin failed with a webhook', {
        rule: `webhook.${rule}`,
        provider: integration.provider,
        at: placeOf(error),
      });
      return otherwise;
    }
  };
}

/**
 * What a delivery says; the whole of it, for no connection, where the plugin cannot tell.
 *
 * @returns events without a `payload` where it is the whole of the delivery
 */
export function eventsOf(
  ask: AskPlugin,
  { rules, clientPrefix }: { readonly rules: WebhookRules; readonly clientPrefix?: string | undefined },
  webhook: IncomingWebhook,
): readonly WebhookEvent[] {
  const shown = underOurNames(webhook, clientPrefix);
  const events = ask('events', () => checked(rules.events(shown)), [{ connections: [] }]);
  // What is passed on is what came, not what was shown.
  return events.map((event) => (event.payload === shown.payload ? { ...event, payload: undefined } : event));
}

/** Types are not checked at run time, and plugins are written by others. @throws TypeError */
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
