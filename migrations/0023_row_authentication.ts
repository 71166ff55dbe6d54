import type { Knex } from 'knex';

/**
 * What proves that an API key, and the provider and configuration of an integration, were written by this service: an HMAC with
 * a key of the key ring, whose ID is in it. When this was applied says how long rows without it are taken.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_keys add column mac bytea;
    alter table integrations add column mac bytea;
  `);
}
