import type { Knex } from 'knex';

/**
 * Keys that integrations had before they were renamed: the webhook addresses made of them still work. An integration that has the
 * key now takes precedence over an alias. A release that does not know the table renames without an alias, as before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table integration_aliases (
      environment_id bigint not null references environments (id) on delete cascade,
      unique_key text not null,
      integration_id bigint not null references integrations (id) on delete cascade,
      created_at timestamptz not null default now(),
      primary key (environment_id, unique_key)
    );
    create index integration_aliases_integration on integration_aliases (integration_id);
  `);
}
