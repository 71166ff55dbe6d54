import type { Knex } from 'knex';

/** An operation is found by the ID of the request in which it began, which every response and every error names. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table operation_log add column request_id uuid;
    create index operation_log_request on operation_log (environment_id, request_id) where request_id is not null`);
}
