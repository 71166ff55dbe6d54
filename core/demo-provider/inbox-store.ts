import type { Knex } from 'knex';
import { nextId } from '../db/next-id.ts';
import { parseJson } from '../kit/exact-json.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';

/** A webhook in the inbox of an environment. */
export interface WebhookInboxRow {
  readonly id: number;
  readonly environment_id: number;
  readonly received_at: Date;
  readonly entry: Buffer;
}

/** Maximum number of webhooks in the inbox of an environment; the oldest are deleted. */
const MAX_ENTRIES = 50;

interface InboxDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

/** A webhook as it was received. */
interface InboxEntry {
  /** The headers that are part of a webhook of svc, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; null when it was too large to be stored. */
  readonly payload: unknown;
  readonly bytes: number;
  readonly isSignatureValid: boolean;
}

interface StoredEntry extends InboxEntry {
  readonly id: number;
  readonly receivedAt: Date;
}

export async function insertEntry({ db, keys }: InboxDeps, environmentId: number, entry: InboxEntry): Promise<void> {
  const id = await nextId(db, 'webhook_inbox');
  const sealed = keys.encrypt(JSON.stringify(entry), inboxPlace(environmentId, id));
  await db('webhook_inbox').insert({ id, environment_id: environmentId, entry: sealed });
  await db.raw(
    `delete from webhook_inbox where environment_id = :environmentId and id <= (
       select id from webhook_inbox where environment_id = :environmentId order by id desc offset :kept limit 1)`,
    { environmentId, kept: MAX_ENTRIES },
  );
}

/** Returns the webhooks in the inbox, newest first. */
export async function entriesOf({ db, keys }: InboxDeps, environmentId: number): Promise<StoredEntry[]> {
  const rows: WebhookInboxRow[] = await db('webhook_inbox')
    .where({ environment_id: environmentId })
    .orderBy('id', 'desc')
    .limit(MAX_ENTRIES)
    .select('id', 'environment_id', 'received_at', 'entry');
  return rows.map((row) => {
    const entry: InboxEntry = parseJson(keys.decrypt(row.entry, inboxPlace(row.environment_id, row.id)));
    return { ...entry, id: row.id, receivedAt: row.received_at };
  });
}

export async function deleteEntries(db: Knex, environmentId: number): Promise<void> {
  await db('webhook_inbox').where({ environment_id: environmentId }).delete();
}

export function inboxPlace(environmentId: number, id: number): Place {
  return { table: 'webhook_inbox', column: 'entry', environmentId, rowId: id };
}
