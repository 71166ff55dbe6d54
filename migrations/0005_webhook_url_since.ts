import type { Knex } from 'knex';

/** When an environment's webhook URL was last changed: since then webhooks go there. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table environments add column webhook_url_since timestamptz');
}
