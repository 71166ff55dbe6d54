import type { Knex } from 'knex';
import type { IntegrationRow } from './integration-row.ts';

/** Writes of one integration are at least this far apart, since its provider may answer a thousand calls a second. */
const EVERY_MINUTES = 10;

const TOUCH = `
  update integrations set answered_at = :at
  from (select (one ->> 0)::bigint as environment_id, one ->> 1 as unique_key from unnest(:given::jsonb[]) one) given
  where integrations.environment_id = given.environment_id and integrations.unique_key = given.unique_key
    and deleted_at is null and coalesce(answered_at < :at::timestamptz - :every * interval '1 minute', true)`;

/**
 * Writes `answered_at` of many integrations in one statement.
 *
 * @param integrations the environment's ID and the key of each, as a JSON list
 */
export async function touchAnswered(db: Knex, integrations: readonly string[], at: Date): Promise<void> {
  await db.raw(TOUCH, { at, given: [...integrations], every: EVERY_MINUTES });
}

/** Returns, by provider, when it last answered a call of one of the environment's integrations with 2xx. */
export async function answeredProviders(db: Knex, environmentId: number): Promise<ReadonlyMap<string, Date>> {
  const rows: { provider: string; at: Date }[] = await db<IntegrationRow>('integrations')
    .where({ environment_id: environmentId })
    .whereNull('deleted_at')
    .whereNotNull('answered_at')
    .groupBy('provider')
    .select('provider', db.raw('max(answered_at) as at'));
  return new Map(rows.map(({ provider, at }) => [provider, at]));
}
