import type { Knex } from 'knex';

/**
 * By which client a connection was authorized; null: by one before that was recorded. Integrations that keep former clients are
 * marked, so that those can be removed once no connection needs them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table connections add column client_fingerprint text;
    alter table integrations add column has_former_clients boolean not null default false;
    create index integrations_former_clients on integrations (id) where has_former_clients;
  `);
}
