import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { nextIds } from '../db/next-id.ts';
import type { WorkTopic } from '../db/work-signals.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { currentTrace, type TraceContext } from '../kit/tracing.ts';
import { environmentById } from '../tenants/environments/environment-store.ts';
import { contentPlace, contentText } from './content.ts';
import type { OutboxDeps } from './deps.ts';
import { type InsertedMessage, insertMessages } from './message-store.ts';
import { type SharedPayload, storePayloads } from './payload.ts';
import { ensureTargets, type TargetAddress } from './target-store.ts';

const ID_BYTES = 18;
// The limits of a target's waiting webhooks are checked once per this many new ones, and more often if they are large.
const CHECKED_EVERY = 256;
const LARGE_CHECKED_EVERY = 8;
const LARGE_BYTES = 64 * 1024;

/** A webhook to the application; one row is stored for each of its targets. */
export interface NewMessage {
  readonly environmentId: number;
  readonly type: 'auth' | 'forward' | 'test';
  readonly operation?: string | undefined;
  /** Whether what the webhook reports has succeeded. */
  readonly success?: boolean | undefined;
  readonly connectionId?: string | undefined;
  readonly providerConfigKey?: string | undefined;
  /** Replaces the environment's URLs; null: there is no override. */
  readonly webhookUrlOverride: string | null;
  /** The body, sent as JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Becomes `payload`, the last property of the body. */
  readonly payload?: SharedPayload | undefined;
  /** Sent in addition to the service's own headers, which they never replace. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The context of the trace that the webhook continues. Default: that of the active span. */
  readonly traceContext?: TraceContext | undefined;
}

/**
 * Stores webhooks in the transaction of their cause; they are sent only if it commits.
 *
 * @returns their `webhook-id` values, one for each webhook and target; none if the environment has no URL
 */
export async function sendMessages(
  deps: OutboxDeps,
  trx: Knex.Transaction,
  messages: readonly NewMessage[],
): Promise<readonly string[]> {
  const addressed = await addressedTo(trx, messages);
  if (addressed.length === 0) return [];
  const targets = await ensureTargets(
    trx,
    addressed.map(({ address }) => address),
  );
  const payloads = addressed.flatMap(({ message }) => message.payload ?? []);
  await storePayloads(deps.keys, trx, payloads);
  const ids = await nextIds(trx, 'webhook_messages', addressed.length);
  const rows: InsertedMessage[] = [];
  for (const [index, { message, address }] of addressed.entries()) {
    const [id, target] = [ids[index], targets.get(address.key)];
    if (id === undefined || target === undefined) throw new Error('a webhook has no row or no target');
    rows.push(newRow(deps.keys, message, { id, targetId: target }));
  }
  await insertMessages(trx, rows);
  const signal = (topic: WorkTopic, of: readonly InsertedMessage[]) =>
    of.length > 0 && deps.signals.send(trx, topic, [...new Set(of.map((row) => row.target_id))]);
  signal('webhook-messages', rows);
  signal('webhook-limits', rows.filter(isChecked));
  return rows.map(({ message_id: messageId }) => messageId);
}

interface AddressedMessage {
  readonly message: NewMessage;
  readonly address: TargetAddress;
}

async function addressedTo(trx: Knex.Transaction, messages: readonly NewMessage[]): Promise<readonly AddressedMessage[]> {
  const environmentIds = new Set(messages.map(({ environmentId }) => environmentId));
  const addresses = new Map<number, readonly TargetAddress[]>();
  for (const id of environmentIds) addresses.set(id, await ownAddresses(trx, id));
  return messages.flatMap((message) => {
    const { environmentId, webhookUrlOverride: url } = message;
    const own = addresses.get(environmentId) ?? [];
    const addressed = url === null ? own : [addressOf(environmentId, 'override', url)];
    return addressed.map((address) => ({ message, address }));
  });
}

async function ownAddresses(trx: Knex.Transaction, environmentId: number): Promise<readonly TargetAddress[]> {
  const environment = await environmentById(trx, environmentId);
  return [
    ...(environment?.webhookUrl ? [addressOf(environmentId, 'primary', null)] : []),
    ...(environment?.webhookUrlSecondary ? [addressOf(environmentId, 'secondary', null)] : []),
  ];
}

function addressOf(environmentId: number, slot: TargetAddress['slot'], url: string | null): TargetAddress {
  return { environmentId, slot, url, key: JSON.stringify([environmentId, slot, url]) };
}

interface RowPlace {
  readonly id: number;
  readonly targetId: number;
}

function newRow(keys: KeyRing, message: NewMessage, { id, targetId }: RowPlace): InsertedMessage {
  const head = JSON.stringify(message.body);
  const content = contentText(head, message);
  const reference = message.payload?.reference;
  return {
    id,
    message_id: `msg_${randomBytes(ID_BYTES).toString('base64url')}`,
    environment_id: message.environmentId,
    target_id: targetId,
    type: message.type,
    operation: message.operation ?? null,
    success: message.success ?? null,
    connection_id: message.connectionId ?? null,
    provider_config_key: message.providerConfigKey ?? null,
    // Whether the target is paused is checked at the claim: only then is the target locked.
    status: 'pending',
    content: keys.encrypt(content, contentPlace(message.environmentId, id)),
    payload_id: reference?.id ?? null,
    payload_bytes: reference?.bytes ?? 0,
    trace_context: message.traceContext ?? currentTrace() ?? null,
  };
}

function isChecked({ id, content, payload_bytes: payloadBytes }: InsertedMessage): boolean {
  return id % (content.length + payloadBytes > LARGE_BYTES ? LARGE_CHECKED_EVERY : CHECKED_EVERY) === 0;
}
