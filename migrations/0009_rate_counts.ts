import type { Knex } from 'knex';

/**
 * What instances tell each other about the requests of each API key, minute by minute: how many they have taken, and how many
 * they may take before they speak again. Unlogged: after a crash of the database the minute begins anew. `key_id` 0 says that
 * the instance is there.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create unlogged table rate_counts (
      window_start timestamptz not null,
      key_id bigint not null,
      instance_id uuid not null,
      taken integer not null,
      kept integer not null,
      told_at timestamptz not null default now(),
      primary key (window_start, key_id, instance_id)
    );
  `);
}
