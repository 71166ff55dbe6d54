import type { Knex } from 'knex';

/**
 * The operation log, in partitions of time: what is too old or too much goes by dropping a table. The service makes the
 * partitions ahead (`core/activity/partitions.ts`); a row for which there is none lands in the default one and is moved later.
 *
 * `operations` stays: the previous release may run side by side with this one and writes there, and its IDs are looked up there
 * until their retention ends. A later release drops it.
 *
 * There is no reference to `environments`: adding or dropping a partition would lock that table.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table operation_log (
      environment_id bigint not null,
      -- A UUID of version 7, made of created_at: so it names its partition, too.
      id uuid not null,
      type text not null,
      operation text not null,
      status text not null,
      connection_id text,
      provider_config_key text,
      actor_kind text not null,
      actor_id text,
      actor_name text,
      summary text not null,
      http_status smallint,
      error_code text,
      created_at timestamptz not null,
      ended_at timestamptz,
      messages jsonb not null default '[]',
      -- The words that a search finds it by. Without positions, which nothing asks for.
      terms tsvector not null default '',
      -- The transaction that wrote it: those who follow the log ask for what was committed since.
      written_by bigint not null default pg_current_xact_id()::text::bigint,
      primary key (environment_id, created_at, id)
    ) partition by range (created_at);

    create index operation_log_connection on operation_log (environment_id, connection_id, created_at, id)
      where connection_id is not null;
    create index operation_log_integration on operation_log (environment_id, provider_config_key, created_at, id)
      where provider_config_key is not null;
    create index operation_log_type on operation_log (environment_id, type, created_at, id);
    create index operation_log_unsuccessful on operation_log (environment_id, created_at, id) where status <> 'success';
    create index operation_log_terms on operation_log using gin (terms);
    create index operation_log_written on operation_log (written_by);

    create table operation_log_default partition of operation_log default;

    -- Exact, whatever the log itself leaves out.
    create table operation_counts (
      environment_id bigint not null,
      hour timestamptz not null,
      kind text not null,
      status text not null,
      count bigint not null,
      primary key (environment_id, hour, kind, status)
    );
    create index operation_counts_age on operation_counts (hour);
  `);
}
