import type { Knex } from 'knex';

/** For lists of connections that are not healthy; those are few, so the index is small. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index connections_unhealthy on connections (environment_id, state, id)
      where deleted_at is null and state <> 'healthy';
  `);
}
