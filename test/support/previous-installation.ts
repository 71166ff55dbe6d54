import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { authenticateIntegrations } from '../../core/connections/integrations/integration-store.ts';
import { migrate, migrationNames } from '../../core/db/migrate.ts';
import { KeyRing } from '../../core/kit/key-ring.ts';
import { createLogger } from '../../core/kit/logger.ts';
import type { Connected } from './connect.ts';
import type { TestDatabase } from './database.ts';
import { projectFolder } from './source-files.ts';

const FILE = join(projectFolder, 'test/fixtures/previous-installation.jsonl');
/** Of the release before, whose schema the rows belong to. */
const LAST_MIGRATION = '0028_script_queue';
/** Made with the schema itself, not by the installation. */
const OF_THE_SCHEMA = ['schema_migrations', 'pgboss.version'];
const QUEUE = 'pgboss.';

/** Stand in the rows for addresses that differ in every run. */
export const APPLICATION_NAME = 'http://application.example';
export const PROVIDER_NAME = 'http://provider.example';

/** A connection, and the tokens that its provider gave. */
export interface KnownConnection extends Connected {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** What its operator knew of the installation. All keys and tokens were made for this file and open nothing else. */
export interface InstallationFacts {
  readonly madeAt: string;
  /** As `SVC_ENCRYPTION_KEYS`: the newer one first. */
  readonly encryptionKeys: string;
  readonly apiKey: string;
  readonly accountKey: string;
  /** May list connections, nothing else. */
  readonly listingKey: string;
  /** The oldest first. */
  readonly connections: readonly KnownConnection[];
  /** What `webhook-id` carries, of the messages that wait. */
  readonly messageIds: readonly string[];
  /** Numbers of the provider's webhooks: of those whose forward waits, and of those that are not matched yet. */
  readonly matched: readonly number[];
  readonly unmatched: readonly number[];
}

interface StoredRow {
  readonly table: string;
  readonly row: object;
}

/** All rows of a database of the release before, as JSON lines after one line of facts. @param hide names for texts */
export async function writeInstallation(db: Knex, facts: InstallationFacts, hide: ReadonlyMap<string, string>): Promise<void> {
  const lines: object[] = [facts];
  for (const table of await tablesOf(db)) {
    const { rows } = await db.raw(`select to_jsonb(t) as row from ${table} t order by t::text`);
    for (const { row } of rows) lines.push({ table, row } satisfies StoredRow);
  }
  let text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  for (const [from, to] of hide) text = text.replaceAll(from, to);
  await writeFile(FILE, text);
}

/** The small installation of the release before, as if it had been stopped a moment ago. @param show texts for names */
export async function loadInstallation({ db, url }: TestDatabase, show: ReadonlyMap<string, string>): Promise<InstallationFacts> {
  await migrateLikeBefore(url);
  let text = await readFile(FILE, 'utf8');
  for (const [from, to] of show) text = text.replaceAll(from, to);
  const [facts, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  await db.transaction(async (trx) => {
    // Rows come in the order of their tables' names.
    await trx.raw('set local session_replication_role = replica');
    for (const { table, row } of rows) await insert(trx, table, row);
    for (const table of await tablesOf(trx)) await makePresent(trx, table, facts);
    // Their proofs are of other addresses.
    const keys = KeyRing.parse(facts.encryptionKeys);
    await authenticateIntegrations({ db: trx, keys }, { afterId: 0, limit: 100 });
  });
  return facts;
}

async function migrateLikeBefore(url: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-migrations-'));
  try {
    const names = (await migrationNames()).filter((name) => name <= LAST_MIGRATION);
    for (const name of names) await cp(join(projectFolder, `migrations/${name}.ts`), join(directory, `${name}.ts`));
    await migrate({ url, directory, log: createLogger({ level: 'silent' }) });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function tablesOf(db: Knex): Promise<string[]> {
  const { rows }: { rows: { name: string }[] } = await db.raw(`
    select format('%I.%I', n.nspname, c.relname)::regclass::text as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'pgboss') order by 1`);
  return rows.map(({ name }) => name).filter((name) => !OF_THE_SCHEMA.includes(name));
}

/** The queue's own rows may be there already. */
async function insert(trx: Knex.Transaction, table: string, row: object): Promise<void> {
  const conflict = table.startsWith(QUEUE) ? 'on conflict do nothing' : '';
  const values = `select * from jsonb_populate_record(null::${table}, ?::jsonb)`;
  await trx.raw(`insert into ${table} overriding system value ${values} ${conflict}`, [JSON.stringify(row)]);
}

/** Moves its times by the age of the file, and lets its IDs go on where they ended. */
async function makePresent(trx: Knex.Transaction, table: string, { madeAt }: InstallationFacts): Promise<void> {
  const { rows }: { rows: { name: string; type: string; sequence: string | null }[] } = await trx.raw(
    `select attname as name, format_type(atttypid, null) as type,
       case when attidentity <> '' then pg_get_serial_sequence(?, attname) end as sequence
     from pg_attribute where attrelid = ?::regclass and attnum > 0 and not attisdropped`,
    [table, table],
  );
  const times = rows.filter(({ type }) => type === 'timestamp with time zone').map(({ name }) => name);
  if (times.length > 0) {
    const changes = times.map((name) => `${name} = ${name} + (now() - :madeAt::timestamptz)`);
    await trx.raw(`update ${table} set ${changes.join(', ')}`, { madeAt });
  }
  for (const { name, sequence } of rows)
    if (sequence !== null) await trx.raw(`select setval(?, max(${name})) from ${table}`, [sequence]);
}
