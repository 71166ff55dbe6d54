import type { Knex } from 'knex';

/**
 * A flow whose user has to choose: `choice` holds the new tokens and the options, encrypted, until `choice_expires_at`.
 * `public_id` is the name that a user interface gave the flow.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table authorization_flows
      add column public_id uuid,
      add column choice bytea,
      add column choice_expires_at timestamptz;
    create unique index authorization_flows_public_id on authorization_flows (session_id, public_id)
      where public_id is not null;
    create index authorization_flows_choice on authorization_flows (choice_expires_at) where choice is not null;
  `);
}
