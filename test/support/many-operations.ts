import type { Knex } from 'knex';
import { insertOperations, SHOWN } from '../../core/journal/operation-log/activity-store.ts';
import { begunRow, endedRow, type Message, type NewOperation } from '../../core/journal/operation-log/operation-row.ts';
import { addPartition } from '../../core/journal/operation-log/partition-store.ts';

const CONNECTIONS = 10_000;
const BATCH = 1_000;
const INTEGRATIONS = 300;
const HOUR_MS = 3_600_000;
const PARTITION_HOURS = 6;
const MINUTE_MS = 60_000;
/** How far the last partition extends beyond the present, so that it does not end during the test. */
const AHEAD_MS = 10 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The number of operations of each type among a hundred operations. */
const SHARES = { proxy: 80, refresh: 8, webhook: 5, script: 4, auth: 2, admin: 1 } as const;
const TYPES = (Object.keys(SHARES) as (keyof typeof SHARES)[]).flatMap((type) => Array<typeof type>(SHARES[type]).fill(type));

interface Wanted {
  readonly environmentId: number;
  readonly count: number;
  readonly days: number;
  /** The number of operations that the service's code creates; all others are copies of these with other times. */
  readonly made: number;
}

/** Fills the operation log of an environment evenly up to the present, so that all partitions are full at any time of day. */
export async function storeManyOperations(db: Knex, { environmentId, count, days, made }: Wanted): Promise<void> {
  const step = PARTITION_HOURS * HOUR_MS;
  const end = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + AHEAD_MS;
  for (let from = end - days * DAY_MS; from < end; from += step)
    await db.transaction((trx) => addPartition(trx, { from: new Date(from), to: new Date(from + step) }));
  await storeOperations(db, { environmentId, count: made });
  await db.raw('create table made as select * from operation_log');
  const kept = [...SHOWN.filter((column) => !['id', 'created_at', 'ended_at'].includes(column)), 'messages', 'terms'].join();
  for (let stored = made; stored < count; stored += made)
    await db.raw(
      `insert into operation_log (environment_id, id, created_at, ended_at, ${kept})
       select environment_id, new_id, uuid_extract_timestamp(new_id), uuid_extract_timestamp(new_id) + (ended_at - created_at), ${kept}
       from (select *, uuidv7(-random() * make_interval(secs => ?)) as new_id from made) as copies`,
      [(days * DAY_MS - 2 * AHEAD_MS) / 1_000],
    );
  await db.raw('drop table made');
  await db.raw('vacuum analyze operation_log');
}

/** Stores operations that begin now. */
export async function storeOperations(
  db: Knex,
  { environmentId, count }: Pick<Wanted, 'environmentId' | 'count'>,
): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => operationOf(environmentId, from + index));
    await insertOperations(db, rows);
  }
}

export function connectionOf(n: number): string {
  return `connection-${n % CONNECTIONS}`;
}

export function integrationOf(n: number): string {
  return `integration-${n % INTEGRATIONS}`;
}

function operationOf(environmentId: number, n: number): NewOperation {
  const type = TYPES[n % TYPES.length] ?? 'proxy';
  const isFailure = n % 37 === 0;
  const now = new Date();
  const httpStatus = isFailure ? 404 : 200;
  const line = `GET /v1/invoices/${n}`;
  const facts = { method: 'GET', path: `/v1/invoices/${n}`, durationMs: 40, status: httpStatus };
  const messages: Message[] = [{ at: now.toISOString(), level: 'info', message: 'the provider responded', facts }];
  const about = { connectionId: connectionOf(n), providerConfigKey: integrationOf(n) };
  const actor = { kind: 'api_key', id: String(n % 50), name: 'bench' } as const;
  const begun = begunRow({ type, operation: 'GET', environmentId, actor, ...about }, { messages, now });
  const outcome = { summary: `${line} → ${httpStatus}`, httpStatus, ...(isFailure && { errorCode: `code_${n % 20}` }) };
  return endedRow(begun, { ...outcome, status: isFailure ? 'failure' : 'success', at: new Date(now.getTime() + 40) });
}
