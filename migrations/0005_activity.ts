import type { Knex } from 'knex';

/**
 * What the service did: operations and their messages. A connection's `log_id` points here. Secrets are redacted before
 * storage.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table operations (
      id uuid primary key,
      environment_id bigint references environments (id) on delete cascade,
      type text not null,
      operation text not null,
      status text not null,
      connection_id text,
      provider_config_key text,
      created_at timestamptz not null,
      ended_at timestamptz,
      messages jsonb not null default '[]'
    );
    create index operations_newest on operations (environment_id, created_at desc);
    create index operations_age on operations (created_at);
  `);
}
