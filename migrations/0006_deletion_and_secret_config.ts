import type { Knex } from 'knex';

/**
 * Environments are marked deleted before they are erased, and their name is free from the mark on. `secret_config` holds what
 * of an integration's configuration is secret, encrypted as its client is. The indexes serve the erasing: without them each
 * removed row would look for what refers to it through whole tables.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table environments add column deleted_at timestamptz;
    alter table environments drop constraint environments_account_id_name_key;
    create unique index environments_name on environments (account_id, name) where deleted_at is null;
    create index environments_deleted on environments (deleted_at) where deleted_at is not null;

    alter table integrations add column secret_config bytea;
    create index integrations_deleted on integrations (deleted_at) where deleted_at is not null;

    create index connections_integration on connections (integration_id, id);
    create index connect_sessions_environment on connect_sessions (environment_id);
    create index authorization_flows_integration on authorization_flows (integration_id);
    create index authorization_flows_environment on authorization_flows (environment_id);
  `);
}
