import type { IncomingWebhook, WebhookEvent } from '#contract';
import type { VerifiedSignature } from '../catalogue/webhooks/verify-signature.ts';
import type { AskPlugin } from './ask-plugin.ts';
import { DEFAULT_RULES, defaultForwardHeaders } from './default-rules.ts';
import { contentText } from './delivery-content.ts';
import type { NewDelivery } from './delivery-writer.ts';
import { duplicateKey, hasId } from './duplicate-key.ts';
import { forwardHeaders } from './forward-headers.ts';
import type { Receiver } from './receivers.ts';

const DAY_MS = 24 * 3_600_000;
/**
 * A provider that sends neither an ID nor a signed time retries after seconds or minutes if it got no response; equal deliveries
 * that are further apart may be two events.
 */
const UNMARKED_MS = 10 * 60_000;

interface ReadWebhook {
  readonly ask: AskPlugin;
  readonly webhook: IncomingWebhook;
  /** The received JSON of the payload, if the body is JSON. */
  readonly json: string | undefined;
  readonly events: readonly WebhookEvent[];
  readonly verdict: VerifiedSignature<{ readonly id: number; readonly connectionConfig: object; readonly metadata: object }>;
  readonly registeredFor: string | undefined;
}

/** The delivery to store. @throws ServiceError `webhook_invalid_payload` if it is too large */
export function newDelivery(
  { clientPrefix }: { readonly clientPrefix?: string | undefined },
  { integration, rules }: Receiver,
  { ask, webhook, json, events, verdict, registeredFor }: ReadWebhook,
): NewDelivery {
  const { verified, hasSignedTime, connections } = verdict;
  const listed = rules === DEFAULT_RULES ? defaultForwardHeaders(webhook.headers) : rules.forwardHeaders;
  const headers = forwardHeaders({ ...rules, forwardHeaders: listed }, webhook.headers, { verified, clientPrefix });
  const id = ask('deliveryId', () => rules.deliveryId?.(webhook), undefined);
  return {
    environmentId: integration.environmentId,
    integrationId: integration.id,
    verified,
    content: contentText(
      { events, payload: webhook.payload, json },
      {
        headers,
        ...(connections && { only: connections.map((one) => one.id) }),
        ...(registeredFor !== undefined && { registeredFor }),
      },
    ),
    repeatsWithinMs: hasId(id) || hasSignedTime ? DAY_MS : UNMARKED_MS,
    key: duplicateKey(rules, webhook, { id, verified, registeredFor }),
  };
}
