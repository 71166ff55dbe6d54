import type { Knex } from 'knex';

/** Lifetime of a refresh token: each use issues a new one. */
const GRANT_DAYS = 7;
/** Maximum number of grants of an environment; the oldest are deleted. */
const MAX_GRANTS = 1_000;

interface DemoGrant {
  readonly id: string;
  readonly environmentId: number;
}

/**
 * Turns an authorization code into a grant with the same ID, so that no code can be used twice.
 *
 * @returns false if the code was used before
 */
export async function insertGrant(db: Knex, { id, environmentId }: DemoGrant): Promise<boolean> {
  await db.raw(
    `delete from sandbox_grants where environment_id = :environmentId and (expires_at < now() or id in (
       select id from sandbox_grants where environment_id = :environmentId order by expires_at desc offset :kept))`,
    { environmentId, kept: MAX_GRANTS - 1 },
  );
  const { rowCount }: { rowCount: number } = await db.raw(
    `insert into sandbox_grants (id, environment_id, expires_at)
     values (:id, :environmentId, now() + make_interval(days => :days)) on conflict do nothing`,
    { id, environmentId, days: GRANT_DAYS },
  );
  return rowCount === 1;
}

/** Replaces the refresh token of a generation by that of the next. @returns whether it was the current one */
export async function renewGrant(db: Knex, id: string, generation: number): Promise<boolean> {
  const { rowCount }: { rowCount: number } = await db.raw(
    `update sandbox_grants set generation = generation + 1, expires_at = now() + make_interval(days => :days)
     where id = :id and generation = :generation and expires_at > now()`,
    { id, generation, days: GRANT_DAYS },
  );
  return rowCount === 1;
}

/** Revokes a grant. The row stays until it expires, so that its code cannot be turned into another grant. */
export async function revokeGrant(db: Knex, id: string): Promise<void> {
  await db('sandbox_grants').where({ id }).update({ generation: -1 });
}

export async function isGranted(db: Knex, id: string): Promise<boolean> {
  const row: unknown = await db('sandbox_grants').where({ id }).where('generation', '>', 0).first('id');
  return row !== undefined;
}
