import type { Knex } from 'knex';

/**
 * Exchanging encryption keys while instances run. `retired_at`: from then on nothing is encrypted with that key any more.
 * `unneeded_at`: nothing that it encrypted is left, so it need not be given. Its row stays: whoever still has the key must know
 * that it is retired. Each instance reports which keys it has, by the database's clock.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table encryption_keys
      add column retired_at timestamptz,
      add column unneeded_at timestamptz;

    create table key_reports (
      instance_id text primary key,
      key_ids text[] not null,
      -- what it encrypts with
      current_key_id text not null,
      reported_at timestamptz not null default clock_timestamp()
    );
  `);
}
