import type { Knex } from 'knex';
import { nextIds } from '../db/next-id.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';
import { insertPayloads, payloadById } from './payload-store.ts';
import type { WebhookPayloadRow } from './webhook-rows.ts';

/**
 * JSON that several webhooks and queued scripts of one transaction share. It is stored with the first of them, and not at all if
 * there is none.
 */
export interface SharedPayload {
  readonly environmentId: number;
  /** The text to send. */
  readonly text: string;
  /** Set once the payload is stored. */
  reference?: PayloadReference;
}

export interface PayloadReference {
  /** Row ID. */
  readonly id: number;
  /** The size as stored. */
  readonly bytes: number;
}

/** Stores the payloads that are not stored yet, in one statement. */
export async function storePayloads(keys: KeyRing, trx: Knex.Transaction, payloads: readonly SharedPayload[]): Promise<void> {
  const fresh = [...new Set(payloads)].filter(({ reference }) => reference === undefined);
  if (fresh.length === 0) return;
  const ids = await nextIds(trx, 'webhook_payloads', fresh.length);
  const rows: WebhookPayloadRow[] = [];
  for (const [index, payload] of fresh.entries()) {
    const { environmentId, text } = payload;
    const id = ids[index] ?? 0;
    const content = keys.encrypt(text, payloadPlace(environmentId, id));
    rows.push({ id, environment_id: environmentId, content });
    payload.reference = { id, bytes: content.length };
  }
  await insertPayloads(trx, rows);
}

/** Decrypts a payload. @returns the JSON @throws KeyRingError */
export function openPayload(keys: KeyRing, row: WebhookPayloadRow): string {
  return keys.decrypt(row.content, payloadPlace(row.environment_id, row.id));
}

/** Reads a payload. @returns the JSON @throws KeyRingError; Error if it was deleted */
export async function readPayload({ db, keys }: StoreDeps, environmentId: number, id: number): Promise<string> {
  const row = await payloadById(db, environmentId, id);
  if (row === undefined) throw new Error(`there is no webhook payload ${id}`);
  return openPayload(keys, row);
}

/** @returns JSON of an object whose last property is the unmodified payload @param head JSON of its other properties */
export function withPayload(head: string, payload: string): string {
  return `${head.slice(0, -1)},"payload":${payload}}`;
}

export function payloadPlace(environmentId: number, rowId: number): Place {
  return { table: 'webhook_payloads', column: 'content', environmentId, rowId };
}
