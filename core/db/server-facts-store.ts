import type { Knex } from 'knex';

/** The oldest major version of Postgres that the service starts on; `migrate.ts` and `svc doctor` refuse older ones. */
export const OLDEST_VERSION = 15;

/** Facts that a server reports about itself. */
export interface ServerFacts {
  /** The version as in `server_version_num`: 180004 is 18.4. */
  readonly version: number;
  readonly now: Date;
  /** True for a standby, which takes no writes. */
  readonly isStandby: boolean;
}

export async function serverFacts(db: Knex): Promise<ServerFacts> {
  const { rows } = await db.raw(
    `select current_setting('server_version_num')::int as version, clock_timestamp() as now, pg_is_in_recovery() as "isStandby"`,
  );
  return rows[0];
}

/** Resolves when the server responds to a statement. */
export async function ping(db: Knex): Promise<void> {
  await db.raw('select 1');
}

/** Returns the name and version of the server in the usual form, such as `Postgres 18.4`. */
export function versionName({ version }: ServerFacts): string {
  return `Postgres ${Math.floor(version / 10_000)}.${version % 10_000}`;
}

export function isTooOld({ version }: ServerFacts): boolean {
  return version < OLDEST_VERSION * 10_000;
}

/** Returns the names of the migrations that were applied; none for a database without any table of this service. */
export async function appliedMigrations(db: Knex): Promise<readonly string[]> {
  const { rows } = await db.raw(`select to_regclass('schema_migrations') is not null as "isThere"`);
  if (!rows[0].isThere) return [];
  const applied: { name: string }[] = await db('schema_migrations').orderBy('name').select('name');
  return applied.map(({ name }) => name);
}
