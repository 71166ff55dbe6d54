import type { Knex } from 'knex';
import { readConfig } from '../config/read.ts';
import type { Config } from '../config/schema.ts';
import { openDatabase, PATIENT_WAIT_MS } from '../db/database.ts';
import { DatabaseTime } from '../db/database-time.ts';
import { locateDataDirectory } from '../db/embedded-postgres/data-directory.ts';
import { findRunning, hasDatabase } from '../db/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../db/migrate.ts';
import { createPublisher, type Notices } from '../db/notices.ts';
import { AuditMark } from '../journal/audit-trail/mark.ts';
import { Activity } from '../journal/operation-log/activity.ts';
import type { Clock } from '../kit/clock.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { KeyRingFile } from '../kit/key-ring-file.ts';
import { armKillPoint } from '../kit/kill-point.ts';
import { createLogger, type Logger } from '../kit/logger.ts';
import { checkEncryptionKeys } from '../operate/keys/encryption-keys.ts';
import { dataDirectory, existingKeys, keyFileOf, openStorage, type Storage } from '../operate/storage.ts';
import { type Environment, environmentByName, firstAccountId } from '../tenants/environments/environment-store.ts';
import { commandError } from './output.ts';

/** The database, keys and services that a command works with. */
export interface CommandContext extends AsyncDisposable {
  /** The database's clock. */
  readonly clock: Clock;
  /** Database URL. */
  readonly url: string;
  readonly db: Knex;
  readonly keys: KeyRing;
  /** The file with the encryption keys; undefined when they come from `SVC_ENCRYPTION_KEYS`. */
  readonly keyFile: KeyRingFile | undefined;
  readonly isExclusive: boolean;
  readonly notices: Pick<Notices, 'publish'>;
  readonly config: Config;
  readonly log: Logger;
  readonly activity: Activity;
  readonly auditMark: AuditMark;
}

interface ContextOptions {
  /** Default: the settings of the environment variables. */
  readonly config?: Config;
  /** Whether the command may create the embedded database where there is none. */
  readonly mayCreate?: boolean;
  /** Fills the database before it is migrated. */
  readonly fill?: (storage: Storage, log: Logger) => Promise<void>;
}

/**
 * Connects to the running service's database, or starts the embedded one for the duration of the command.
 * @throws CommandError when the data directory has no database
 */
export async function openContext({
  config = readConfig().config,
  mayCreate = false,
  fill,
}: ContextOptions = {}): Promise<CommandContext> {
  if (!mayCreate) requireDatabase(config);
  // Unlike the signal itself, `process.exit` runs the exit handlers, which stop an embedded database.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  if (config.FAULT_AT !== undefined) armKillPoint(config.FAULT_AT);
  const log = createLogger({ level: 'warn', write: (line) => process.stderr.write(line) });
  await using opened = new AsyncDisposableStack();
  const storage = opened.use((await runningStorage(config)) ?? (await openStorage(config, log)));
  await fill?.(storage, log);
  await migrate({ url: storage.url, log });
  const db = openDatabase({ url: storage.url, poolSize: 2, waitMs: PATIENT_WAIT_MS, log });
  opened.defer(() => db.destroy());
  await checkEncryptionKeys(db, storage.keys);
  const clock = new DatabaseTime();
  await clock.read(db);
  const activity = opened.use(new Activity({ db, clock, log }));
  const auditMark = opened.use(new AuditMark({ dataDir: storage.dataDir, db, log }));
  const closing = opened.move();
  const { url, keys, keyFile, isExclusive } = storage;
  const shared = { url, db, keys, keyFile, isExclusive };
  return {
    ...shared,
    notices: createPublisher(),
    config,
    log,
    clock,
    activity,
    auditMark,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** @throws CommandError when no environment has this name */
export async function requireEnvironment(db: Knex, name: string): Promise<Environment> {
  const accountId = await firstAccountId(db);
  if (accountId === undefined)
    throw commandError('the database is empty: start the service once to create the first environment');
  const environment = await environmentByName(db, accountId, name);
  if (environment === undefined) throw commandError(`no environment is named "${name}"; \`env list\` shows all`);
  return environment;
}

/** Ensures that a command which was started without the settings of the service works on no empty database of its own. */
function requireDatabase(config: Config): void {
  if (config.DATABASE_URL !== undefined || hasDatabase(dataDirectory(config))) return;
  const { path } = locateDataDirectory(dataDirectory(config));
  throw commandError(
    `there is no database in ${path}: start the service once, or give the command the SVC_DATA_DIR or DATABASE_URL of the service`,
  );
}

async function runningStorage(config: Config): Promise<Storage | undefined> {
  if (config.DATABASE_URL !== undefined) return undefined;
  const running = await findRunning(dataDirectory(config));
  if (running === undefined) return undefined;
  const { url, dataDir } = running;
  return {
    url,
    dataDir,
    keys: await existingKeys(config, dataDir),
    keyFile: keyFileOf(config, dataDir),
    isExclusive: false,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
