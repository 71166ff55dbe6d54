import type { Knex } from 'knex';

export const OLDEST_VERSION = 15;

/** What a server says of itself. */
export interface ServerFacts {
  /** As `server_version_num`: 180004 is 18.4. */
  readonly version: number;
  readonly now: Date;
  /** A standby takes no writes. */
  readonly isStandby: boolean;
}

export async function serverFacts(db: Knex): Promise<ServerFacts> {
  const { rows } = await db.raw(
    `select current_setting('server_version_num')::int as version, clock_timestamp() as now, pg_is_in_recovery() as "isStandby"`,
  );
  return rows[0];
}

/** As people know it. */
export function versionName({ version }: ServerFacts): string {
  return `Postgres ${Math.floor(version / 10_000)}.${version % 10_000}`;
}

export function isTooOld({ version }: ServerFacts): boolean {
  return version < OLDEST_VERSION * 10_000;
}

/** Names of the migrations that were applied; none in a database without any table of ours. */
export async function appliedMigrations(db: Knex): Promise<readonly string[]> {
  const { rows } = await db.raw(`select to_regclass('schema_migrations') is not null as "isThere"`);
  if (!rows[0].isThere) return [];
  const applied: { name: string }[] = await db('schema_migrations').orderBy('name').select('name');
  return applied.map(({ name }) => name);
}
