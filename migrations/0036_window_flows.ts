import type { Knex } from 'knex';

/**
 * A flow that a user interface follows: it exists before the browser has been sent to the provider, and so before it has an OAuth
 * state and a browser; `launch_hash` finds it then. `version` counts its changes. Rows of `/oauth/connect` have no `mode`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table authorization_flows
      alter column state_hash drop not null,
      alter column browser_hash drop not null,
      add column flow_state text,
      add column version integer not null default 1,
      add column mode text,
      add column launch_hash bytea;
    create unique index authorization_flows_launch on authorization_flows (launch_hash) where launch_hash is not null;
  `);
}
