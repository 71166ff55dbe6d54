import type { Knex } from 'knex';

/** When a message was last made due ahead of its schedule, because its target had recovered. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_messages add column early_at timestamptz');
}
