import type { Knex } from 'knex';

/** When a provider last responded as its definition says; `definition_hash` is the SHA-256 of that definition. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table provider_probes (
      slug text primary key,
      definition_hash bytea not null,
      answered_at timestamptz not null default now()
    );
  `);
}
