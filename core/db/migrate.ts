import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import { killPoint } from '../kit/kill-point.ts';
import type { Logger } from '../kit/logger.ts';
import { openDatabase } from './database.ts';
import { isTooOld, OLDEST_VERSION, serverFacts, versionName } from './server-facts-store.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const BASELINE = '0001_baseline';
const MIGRATION_FILE = /^(\d{4}_[a-z0-9_]+)\.ts$/;
// The advisory lock on the tables of this service; every version must use the same number.
const LOCK_KEY = 7_130_914_225;
/** Longer than requests wait: a busy machine opens connections late. */
const WAIT_MS = 10_000;
/** How often the log says that this process waits for the lock: operators would otherwise see a start that does nothing. */
const SAY_EVERY_MS = 2_000;

interface MigrateOptions {
  readonly url: string;
  readonly log: Logger;
  /** The folder with the migrations. Default: `migrations/` of this project. */
  readonly directory?: string | undefined;
  /** The migrations to apply. Default: all. */
  readonly names?: readonly string[] | undefined;
  /** Checked between two migrations. */
  readonly signal?: AbortSignal | undefined;
}

interface Migration {
  readonly name: string;
  up(knex: Knex): Promise<void>;
}

/**
 * Migrates the database to this version's schema. Any number of processes may do so at the same time: each migration runs in a
 * separate transaction, which first waits for the lock and then checks whether the migration is still needed. The lock ends with
 * its transaction, so neither a crash nor a pooler can leave it behind. A schema that is already newer is left unchanged, since
 * every version of the service must also run on the schema of the next.
 *
 * @throws Error when the server is too old, or the database was created before 1.0.0; the signal's reason when it aborts
 */
export async function migrate({ url, log, directory = MIGRATIONS, names, signal }: MigrateOptions): Promise<void> {
  const db = openDatabase({ url, poolSize: 1, queryTimeoutMs: 0, waitMs: WAIT_MS, log });
  try {
    await requireVersion(db);
    await locked({ db, log }, createLedger);
    await refuseFormer(db);
    for (const migration of await readMigrations(directory, names)) {
      signal?.throwIfAborted();
      if (await locked({ db, log }, (trx) => apply(trx, migration)))
        log.info(`migrated by ${migration.name}`, { migration: migration.name });
    }
  } finally {
    await db.destroy();
  }
}

/** Returns the names of the migrations of this version, in order. */
export async function migrationNames(directory = MIGRATIONS): Promise<readonly string[]> {
  return (await readdir(directory)).flatMap((file) => MIGRATION_FILE.exec(file)?.[1] ?? []).toSorted();
}

async function readMigrations(directory: string, names?: readonly string[]): Promise<Migration[]> {
  const all = await migrationNames(directory);
  return Promise.all(
    all
      .filter((name) => names?.includes(name) ?? true)
      .map(async (name) => {
        const { up } = await import(pathToFileURL(join(directory, `${name}.ts`)).href);
        return { name, up };
      }),
  );
}

async function requireVersion(db: Knex): Promise<void> {
  const facts = await serverFacts(db);
  if (isTooOld(facts)) throw new Error(`${versionName(facts)} is too old: use Postgres ${OLDEST_VERSION} or newer`);
}

function locked<T>(
  { db, log }: { readonly db: Knex; readonly log: Logger },
  work: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return db.transaction(async (trx) => {
    // If this machine vanishes while it holds the lock, others can continue after this time.
    await trx.raw("set local idle_in_transaction_session_timeout = '30s'; set local statement_timeout = 0");
    const saying = setInterval(() => log.warn('waiting for another process that migrates the database'), SAY_EVERY_MS);
    try {
      await trx.raw('select pg_advisory_xact_lock(?)', [LOCK_KEY]);
    } finally {
      clearInterval(saying);
    }
    return await work(trx);
  });
}

async function createLedger(trx: Knex.Transaction): Promise<void> {
  await trx.raw(
    'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  );
}

async function refuseFormer(db: Knex): Promise<void> {
  const names: string[] = await db('schema_migrations').pluck('name');
  if (names.length === 0 || names.includes(BASELINE)) return;
  throw new Error(
    'this database was created before 1.0.0 and cannot be migrated: export its environments with the version that created it ' +
      '(`svc export`), then import them into a new database (`svc import`)',
  );
}

/** Applies a migration, unless it was applied before. @returns whether it was needed */
async function apply(trx: Knex.Transaction, { name, up }: Migration): Promise<boolean> {
  const inserted = await trx('schema_migrations').insert({ name }).onConflict('name').ignore().returning('name');
  if (inserted.length === 0) return false;
  await up(trx);
  killPoint('migrate');
  return true;
}
