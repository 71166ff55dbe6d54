import type { Knex } from 'knex';

/**
 * What an environment sets for the pages on which its end users connect: which pages may open them, where links may lead at their end,
 * and how they look. The logo is served to anybody who knows its hash.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table environments
      add column allowed_origins text[],
      add column return_urls text[],
      add column brand_name text,
      add column brand_logo bytea,
      add column brand_logo_type text,
      add column brand_logo_hash text,
      add column brand_color text,
      add column brand_radius smallint,
      add column brand_theme text;
    alter table connect_sessions add column return_url text;
  `);
}
