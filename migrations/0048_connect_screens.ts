import type { Knex } from 'knex';

/**
 * What a team says of an integration to those who connect: its own guide, in place of that of the provider's definition, and its
 * place in the list to choose from (the lowest first, those without one by name after them).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table integrations
      add column connect_guide_url text,
      add column connect_position smallint;
  `);
}
