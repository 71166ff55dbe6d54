import type { Knex } from 'knex';
import type { ConnectionKey, IncomingWebhook, WebhookEvent, WebhookReply } from '#contract';
import { ruleFor, type VerifiedSignature, verifySignature } from '../catalogue/webhooks/verify-signature.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionById } from '../connections/connection-store.ts';
import { handshakeSecretsOf } from '../connections/handshake-secret-store.ts';
import type { Integration } from '../connections/integrations/integration.ts';
import { webhookSecretsOf } from '../connections/integrations/webhook-secrets.ts';
import { ServiceError } from '../errors.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { isLarge, takeParsingTurn } from '../kit/parsing-turn.ts';
import { askPlugin, eventsOf } from './ask-plugin.ts';
import { checkTag } from './check-tag.ts';
import { DEFAULT_RULES } from './default-rules.ts';
import type { NewDelivery } from './delivery-writer.ts';
import { disagrees, firstConnections } from './find-connections.ts';
import { findAnswer, giveAnswer } from './handshake.ts';
import { type ArrivedRequest, readIncoming } from './incoming.ts';
import { newDelivery } from './new-delivery.ts';
import type { WebhookIngress } from './open-ingress.ts';
import type { Receiver, ReceiverAddress } from './receivers.ts';
import { noteRefusal } from './refusals.ts';

/** Maximum number of connections whose secrets are tried. Each is decrypted; a delivery that names more is not worth the cost. */
const MAX_CONNECTIONS = 50;
/** Maximum number of keys of a delivery by which connections are looked up. Each costs a query before anything is verified. */
const MAX_KEYS = 100;

const ACCEPTED: WebhookReply = { status: 200, body: '{"status":"success"}' };

/**
 * Receives a delivery. Once this resolves, the delivery is stored and will be matched exactly once: `match-worker.ts` finds its
 * connections and stores the webhooks, which `webhook-delivery/deliverer.ts` sends.
 *
 * @throws ServiceError `not_found`; `webhook_missing_signature`, `webhook_invalid_signature`, `webhook_invalid_payload`; errors
 *   of reading the body and storing
 */
export async function receiveWebhook(
  deps: WebhookIngress,
  address: ReceiverAddress,
  request: ArrivedRequest,
): Promise<WebhookReply> {
  let receiver: Receiver | undefined;
  try {
    receiver = await deps.receivers.require(address);
    const { delivery, reply } = await prepare(deps, receiver, request);
    if (delivery !== undefined) await deps.deliveries.write(delivery);
    deps.counters.delivery(receiver.integration.provider, 'accepted');
    return reply;
  } catch (error) {
    noteRefusal(deps, receiver, error);
    throw error;
  }
}

interface Prepared {
  /** Undefined for a handshake, which is only answered. */
  readonly delivery?: NewDelivery;
  /** Sent once the delivery is stored. */
  readonly reply: WebhookReply;
}

/**
 * Verifies the delivery and reads its events. Large deliveries are handled one at a time: the parsed body of one is released
 * before the next.
 */
async function prepare(deps: WebhookIngress, receiver: Receiver, request: ArrivedRequest): Promise<Prepared> {
  const { integration, rules } = receiver;
  const incoming = await readIncoming(request, { baseUrl: deps.baseUrl, payloadField: rules.payloadField });
  const { webhook } = incoming;
  const { length } = webhook.rawBody;
  // Handshakes are small, so large forged bodies need not be parsed.
  const answer = isLarge(length) ? undefined : findAnswer(deps, receiver, webhook);
  if (answer !== undefined) return { reply: await giveAnswer(deps, receiver, { webhook, answer }) };

  const registeredFor = await checkTag(deps, receiver, webhook);
  using _turn = await takeParsingTurn(length);
  const { verdict, known } = await verify(deps, receiver, { webhook, registeredFor });
  if (verdict.verified) request.markVerified();
  const events = known ?? eventsOf(deps, receiver, webhook);
  for (const event of events)
    if (await disagrees(deps.db, integration.id, event))
      throw new ServiceError('webhook_invalid_payload', 'the delivery names different connections');
  const { json } = incoming;
  const delivery = newDelivery(deps, receiver, { webhook, json, events, verdict, registeredFor });
  const reply = askPlugin(deps, receiver, { rule: 'reply', run: () => rules.reply?.(webhook), fallback: undefined });
  return { delivery, reply: reply ?? ACCEPTED };
}

interface Verified {
  readonly verdict: VerifiedSignature<Connection>;
  /**
   * The events, if they had to be read for the verification: to find the connections whose secrets may have signed the delivery.
   */
  readonly known?: readonly WebhookEvent[] | undefined;
}

/**
 * Verifies a delivery by the signature rule that applies to it. The rule names whose secrets are used: the integration's, those
 * of connections, or those from handshakes.
 */
async function verify(
  deps: WebhookIngress,
  receiver: Receiver,
  { webhook, registeredFor }: { readonly webhook: IncomingWebhook; readonly registeredFor: string | undefined },
): Promise<Verified> {
  if (receiver.rules === DEFAULT_RULES) return { verdict: { verified: registeredFor !== undefined } };
  const delivery = { webhook, integration: webhookSecretsOf(deps, receiver.integration) };
  const rule = ruleFor(deps, receiver.rules, delivery);
  const source = 'secret' in rule ? rule.secret.in : undefined;
  const known = source === 'connection' ? eventsOf(deps, receiver, webhook) : undefined;
  const connections = known === undefined ? [] : await namedConnections(deps, receiver.integration, known);
  const handshakeSecrets = source === 'handshake' ? await secretsAt(deps, receiver, registeredFor) : [];
  return { verdict: await verifySignature(deps, rule, { ...delivery, connections, handshakeSecrets }), known };
}

/** Returns the secrets that the provider sent in handshakes to the webhook URL that is registered for a connection. */
async function secretsAt(
  deps: WebhookIngress,
  { integration: { id: integrationId, environmentId } }: Receiver,
  connectionId: string | undefined,
): Promise<readonly string[]> {
  return connectionId === undefined ? [] : handshakeSecretsOf(deps, { environmentId, integrationId, connectionId });
}

/** Returns the connections that a delivery names: it may be signed with the secret of any of them. */
async function namedConnections(
  deps: { readonly db: Knex; readonly keys: KeyRing },
  { id: integrationId, environmentId }: Integration,
  events: readonly WebhookEvent[],
): Promise<Connection[]> {
  const ids = new Set<number>();
  for (const keys of differentKeys(events)) {
    if (ids.size >= MAX_CONNECTIONS) break;
    for (const { id } of await firstConnections(deps.db, { integrationId, keys })) ids.add(id);
  }
  const found: Connection[] = [];
  for (const id of [...ids].slice(0, MAX_CONNECTIONS)) {
    const connection = await connectionById(deps, environmentId, id);
    if (connection !== undefined) found.push(connection);
  }
  return found;
}

/**
 * Returns the different lists of connection keys of the events, `MAX_KEYS` keys at most. Equal lists, as in a batch, count once.
 */
function differentKeys(events: readonly WebhookEvent[]): readonly (readonly ConnectionKey[])[] {
  let left = MAX_KEYS;
  const different = new Map(events.map(({ connections }) => [JSON.stringify(connections), connections]));
  return [...different.values()].map((keys) => {
    const some = keys.slice(0, left);
    left -= some.length;
    return some;
  });
}
