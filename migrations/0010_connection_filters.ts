import type { Knex } from 'knex';

/** What lists are filtered by beside tags: the connection ID, whatever the integration, and whose the connection is. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index connections_by_id on connections (environment_id, connection_id) where deleted_at is null;
    create index connections_end_user on connections (environment_id, (end_user ->> 'id'))
      where deleted_at is null and end_user is not null;
    create index connections_organization on connections (environment_id, (end_user -> 'organization' ->> 'id'))
      where deleted_at is null and end_user is not null;
  `);
}
