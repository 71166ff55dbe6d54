import type { Knex } from 'knex';

/**
 * Every key that an integration of an environment has or had, and the last that had it. Applications send their users to an
 * integration by its key: not everybody who may make integrations may take the place of one that was there.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table used_integration_keys (
      environment_id bigint not null references environments(id) on delete cascade,
      unique_key text not null,
      integration_id bigint not null,
      primary key (environment_id, unique_key)
    );
    insert into used_integration_keys (environment_id, unique_key, integration_id)
    select environment_id, unique_key, integration_id from integration_aliases
    union all
    (select distinct on (environment_id, unique_key) environment_id, unique_key, id from integrations
     order by environment_id, unique_key, deleted_at desc nulls first)
    on conflict do nothing;
  `);
}
