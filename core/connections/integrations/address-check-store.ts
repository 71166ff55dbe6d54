import type { Knex } from 'knex';
import type { Integration } from './integration.ts';
import type { IntegrationRow } from './integration-row.ts';

/** Minimum number of seconds between two writes, since anybody can send checks to an address as often as they like. */
const EVERY_SECONDS = 60;

/** When a webhook address was last checked, by a provider or by anybody else who knows it. */
interface AddressChecks {
  readonly checkedAt: Date | null;
  /** When a check last proved its origin by a value that only the integration's settings hold. */
  readonly verifiedAt: Date | null;
}

/** Records a check of an integration's webhook address, at most once a minute. */
export async function noteAddressCheck(
  db: Knex,
  { id, environmentId }: Pick<Integration, 'id' | 'environmentId'>,
  isProven: boolean,
): Promise<void> {
  const column = isProven ? 'address_verified_at' : 'address_checked_at';
  await db<IntegrationRow>('integrations')
    .where({ id, environment_id: environmentId })
    .whereRaw(`coalesce(${column} < now() - ? * interval '1 second', true)`, [EVERY_SECONDS])
    .update({ address_checked_at: db.fn.now(), ...(isProven && { address_verified_at: db.fn.now() }) });
}

export async function addressChecksOf(
  db: Knex,
  { id, environmentId }: Pick<Integration, 'id' | 'environmentId'>,
): Promise<AddressChecks> {
  const row = await db<IntegrationRow>('integrations')
    .where({ id, environment_id: environmentId })
    .first('address_checked_at', 'address_verified_at');
  return { checkedAt: row?.address_checked_at ?? null, verifiedAt: row?.address_verified_at ?? null };
}

/** Forgets that checks have proved their origin: they named a value that has changed. @param all also those without a proof */
export async function forgetAddressChecks(
  db: Knex,
  { id, environmentId }: Pick<Integration, 'id' | 'environmentId'>,
  { all }: { readonly all: boolean },
): Promise<void> {
  await db<IntegrationRow>('integrations')
    .where({ id, environment_id: environmentId })
    .update({ address_verified_at: null, ...(all && { address_checked_at: null }) });
}
