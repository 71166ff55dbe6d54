import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { settleTls } from '../../db/client-config.ts';
import { openDatabase } from '../../db/database.ts';
import { Listener } from '../../db/listener.ts';
import { migrationNames } from '../../db/migrate.ts';
import { createNotices } from '../../db/notices.ts';
import {
  appliedMigrations,
  isTooOld,
  OLDEST_VERSION,
  type ServerFacts,
  serverFacts,
  versionName,
} from '../../db/server-facts-store.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { type DatabaseFault, databaseFaultOf, explain } from '../../operate/start-fault.ts';
import { type DoctorCheck, fail, ok, warn } from './check.ts';

const NAME = 'database';
const TOPIC = 'doctor';
const NOTICE_TIMEOUT_MS = 3_000;

/** The results of the database's checks, and the facts that other checks need from it. */
export interface DatabaseInspection extends AsyncDisposable {
  readonly checks: readonly DoctorCheck[];
  /** Absent, like the next field, when the database could not be read. */
  readonly db?: Knex;
  /** How far the clock of this machine is ahead of the database's, in milliseconds. */
  readonly aheadMs?: number;
  readonly isMigrated: boolean;
}

interface DatabaseSource {
  readonly url: string;
  /** URL to listen for notices at. Default: `url`. */
  readonly listenUrl?: string;
  readonly clock: Clock;
  readonly log: Logger;
}

export async function inspectDatabase({ url, listenUrl, clock, log }: DatabaseSource): Promise<DatabaseInspection> {
  await using opened = new AsyncDisposableStack();
  try {
    const settled = await settleTls(url);
    const db = openDatabase({ url: settled, poolSize: 2, log });
    opened.defer(() => db.destroy());
    const before = clock.now().getTime();
    const facts = await serverFacts(db);
    const aheadMs = (before + clock.now().getTime()) / 2 - facts.now.getTime();
    const missing = await missingMigrations(db);
    const isMigrated = missing.length === 0;
    const checks = [checkServer(facts, missing), await checkNotices(db, listenUrl ?? settled, log)];
    const closing = opened.move();
    return { checks, db, aheadMs, isMigrated, [Symbol.asyncDispose]: () => closing.disposeAsync() };
  } catch (error) {
    const fault = databaseFaultOf(error) ?? { reason: explain(error), fix: 'start the database, or correct DATABASE_URL' };
    return noDatabase([fail(NAME, fault.reason, fault.fix)]);
  }
}

export function noDatabase(checks: readonly DoctorCheck[]): DatabaseInspection {
  return { checks, isMigrated: false, [Symbol.asyncDispose]: async () => undefined };
}

function checkServer(facts: ServerFacts, missing: readonly string[]): DoctorCheck {
  const server = versionName(facts);
  if (isTooOld(facts)) return fail(NAME, `${server} is too old`, `use Postgres ${OLDEST_VERSION} or newer`);
  if (facts.isStandby) return fail(NAME, `${server} is a read-only standby`, 'point DATABASE_URL to the primary');
  if (missing.length === 0) return ok(NAME, `${server}, schema up to date`);
  const message = `${server}, pending: ${missing.length === 1 ? missing[0] : `${missing.length} migrations`}`;
  return warn(NAME, message, 'run "npm run svc -- migrate", or start the service, which applies them');
}

async function missingMigrations(db: Knex): Promise<readonly string[]> {
  const applied = await appliedMigrations(db);
  return (await migrationNames()).filter((name) => !applied.includes(name));
}

/**
 * Checks that notices arrive, without which changes reach other instances late: behind a pooler in transaction mode, LISTEN
 * succeeds but no notice is ever received.
 */
async function checkNotices(db: Knex, listenUrl: string, log: Logger): Promise<DoctorCheck> {
  const name = 'notices';
  if (await receivesOwnNotice(db, listenUrl, log)) return ok(name, 'instances notify each other of changes through the database');
  const fault = await connectionFault(listenUrl, log);
  if (fault !== undefined) return warn(name, `not checked: a further database connection is refused: ${fault.reason}`, fault.fix);
  return warn(
    name,
    'notifications do not arrive: changes such as a revoked key take up to 10 s; a pooler in transaction mode is the usual cause',
    'point DATABASE_URL to Postgres directly, or to a pooler in session mode',
  );
}

/** Returns why there is no further database connection, such as the one that listens; undefined if there is one. */
async function connectionFault(url: string, log: Logger): Promise<DatabaseFault | undefined> {
  const db = openDatabase({ url, poolSize: 1, log });
  try {
    await serverFacts(db);
    return undefined;
  } catch (error) {
    return databaseFaultOf(error);
  } finally {
    await db.destroy();
  }
}

async function receivesOwnNotice(db: Knex, url: string, log: Logger): Promise<boolean> {
  const id = randomUUID();
  const received = Promise.withResolvers<boolean>();
  const timeout = new AbortController();
  await using listener = new Listener({ url, log });
  const notices = createNotices(listener);
  const publish = () => void notices.publish(db, TOPIC, id).catch(() => received.resolve(false));
  notices.subscribe(TOPIC, (key) => key === id && received.resolve(true), publish);
  try {
    return await Promise.race([received.promise, pause(NOTICE_TIMEOUT_MS, false, { signal: timeout.signal })]);
  } finally {
    timeout.abort();
  }
}
