import type { Knex } from 'knex';
import type { StoredOAuth2 } from '../core/auth-modes/oauth2/stored.ts';
import { claimLease } from '../core/credentials/lease-store.ts';
import { storeRenewed } from '../core/credentials/outcome-store.ts';
import { openDatabase } from '../core/db/database.ts';
import { withTransaction } from '../core/db/transaction.ts';
import { KeyRing, newKeyRingText } from '../core/kit/key-ring.ts';
import { createLogger } from '../core/kit/logger.ts';
import { insertAccount, insertEnvironment } from '../core/tenants/environments/environment-store.ts';
import { startPostgres15 } from '../test/support/postgres-15.ts';

const ROWS = 1_000_000;
const REFRESHES = 2_000;
/** A typical size of the access tokens that providers issue. */
const TOKEN_BYTES = 600;
const GOAL_BYTES = 4096;
const ORIGIN = 'https://provider.example';
const RULE = { marginSeconds: 900, proofHours: null, origin: ORIGIN };

/**
 * Measures how many bytes a refresh (lease, result, release) adds to Postgres's write-ahead log, with and without full-page
 * images.
 */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startPostgres15());
  const { url } = stack.use(await server.cloneDatabase());
  const db = openDatabase({ url, poolSize: 1, queryTimeoutMs: 0, log: createLogger({ level: 'silent' }) });
  stack.defer(() => db.destroy());
  const keys = KeyRing.parse(newKeyRingText());
  const place = await fill(db);
  for (const images of ['off', 'on']) {
    await db.raw(`alter system set full_page_writes = ${images}`);
    await db.raw('select pg_reload_conf()');
    await db.raw('checkpoint');
    const before = await walBytes(db);
    // The refreshed rows are far from each other, as rows that fall due are, and no two rounds in a row refresh the same ones.
    const first = images === 'on' ? 1 : 2;
    for (let count = 0; count < REFRESHES; count += 1)
      await refresh({ db, keys }, { ...place, id: first + count * Math.floor(ROWS / REFRESHES) });
    const bytes = ((await walBytes(db)) - before) / REFRESHES;
    const goal = images === 'off' ? ` (goal: at most ${GOAL_BYTES})` : '';
    console.log(`  ${images === 'on' ? 'with' : 'without'} page images: ${bytes.toFixed(0)} bytes for each refresh${goal}`);
  }
}

type Place = Readonly<Record<'id' | 'environmentId' | 'integrationId', number>>;

async function refresh({ db, keys }: { readonly db: Knex; readonly keys: KeyRing }, place: Place): Promise<void> {
  const ref = { ...place, generation: 1 };
  const owner = `${crypto.randomUUID()}/1`;
  const claimed = await claimLease(db, ref, { owner, force: false, seen: undefined, leaseSeconds: 30, origin: ORIGIN });
  if (claimed === undefined) throw new Error(`the lease of ${place.id} was not free`);
  const now = Date.now();
  const credentials: StoredOAuth2 = {
    type: 'OAUTH2',
    receivedAt: new Date(now).toISOString(),
    accessToken: Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).toString('base64'),
    refreshToken: crypto.randomUUID(),
    expiresAt: new Date(now + 3_600_000).toISOString(),
    raw: {},
  };
  await withTransaction(db, (trx) => storeRenewed({ db: trx, keys }, ref, { credentials, found: {}, rule: RULE }));
}

async function walBytes(db: Knex): Promise<number> {
  const { rows } = await db.raw(`select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`);
  return rows[0].bytes;
}

/**
 * Creates connections of one integration, each with about a kilobyte of credentials and a row that says when its refresh is due.
 */
async function fill(db: Knex): Promise<Omit<Place, 'id'>> {
  const { id: environmentId } = await insertEnvironment(db, { accountId: await insertAccount(db, 'bench'), name: 'bench' });
  const { rows } = await db.raw(
    `insert into integrations (environment_id, unique_key, provider, display_name, client, mac)
     values (?, 'renewing', 'generic-oauth', 'I', '', '') returning id`,
    [environmentId],
  );
  const integrationId: number = rows[0].id;
  await db.raw(
    `insert into connections (id, environment_id, integration_id, connection_id, credentials, expires_at, refreshable, tags)
     select n, :environmentId, :integrationId, gen_random_uuid()::text,
       (select string_agg(sha512((n || '.' || part)::bytea), '') from generate_series(1, 16) part),
       now() + interval '1 hour', true,
       jsonb_build_object('end_user_id', 'user-' || n, 'end_user_email', 'user' || n || '@customer.example')
     from generate_series(1, :rows) n`,
    { environmentId, integrationId, rows: ROWS },
  );
  await db.raw(
    `insert into refreshes (connection_id, environment_id, generation, due_at, token_origin)
     select id, environment_id, 1, now() + id * interval '1 millisecond', ? from connections on conflict do nothing`,
    [ORIGIN],
  );
  await db.raw('vacuum analyze connections');
  await db.raw('vacuum analyze refreshes');
  return { environmentId, integrationId };
}
