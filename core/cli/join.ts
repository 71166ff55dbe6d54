import type { Knex } from 'knex';
import { readConfig } from '../config/read.ts';
import type { Config } from '../config/schema.ts';
import { openDatabase } from '../db/database.ts';
import { findRunning } from '../db/embedded-postgres/embedded-postgres.ts';
import { checkEncryptionKeys } from '../db/encryption-keys.ts';
import { migrate } from '../db/migrate.ts';
import { createPublisher, type Notices } from '../db/notices.ts';
import { type Environment, environmentByName, firstAccountId } from '../environments/environment-store.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { createLogger, type Logger } from '../kit/logger.ts';
import { dataDirectory, existingKeys, openStorage, type Storage } from '../process/storage.ts';
import { refused } from './output.ts';

/** What a command works on. */
export interface Joined extends AsyncDisposable {
  /** Of the database. */
  readonly url: string;
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly notices: Pick<Notices, 'publish'>;
  readonly config: Config;
  readonly log: Logger;
}

/** Joins the running service's database, else starts the database for as long as the command takes. */
export async function joinDatabase(): Promise<Joined> {
  const { config } = readConfig();
  // Leaving this way still tells a database of our own to stop.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const log = createLogger({ level: 'warn', write: (line) => process.stderr.write(line) });
  await using opened = new AsyncDisposableStack();
  const storage = opened.use((await runningStorage(config)) ?? (await openStorage(config, log)));
  await migrate({ url: storage.url, log });
  const db = openDatabase({ url: storage.url, poolSize: 2, log });
  opened.defer(() => db.destroy());
  await checkEncryptionKeys(db, storage.keys);
  const closing = opened.move();
  const { url, keys } = storage;
  return { url, db, keys, notices: createPublisher(), config, log, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** @throws CommandError when there is none of that name */
export async function requireEnvironment(db: Knex, name: string): Promise<Environment> {
  const accountId = await firstAccountId(db);
  if (accountId === undefined) throw refused('there is nothing here yet: start the service once, it makes the first environment');
  const environment = await environmentByName(db, accountId, name);
  if (environment === undefined) throw refused(`there is no environment "${name}"; \`env list\` shows them`);
  return environment;
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
    isExclusive: false,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
