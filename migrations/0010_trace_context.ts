import type { Knex } from 'knex';

/** The trace that work continues when it is done later, perhaps by another instance; null when there is none. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_deliveries add column trace_context text;
    alter table webhook_messages add column trace_context text;
    alter table script_queue add column trace_context text`);
}
