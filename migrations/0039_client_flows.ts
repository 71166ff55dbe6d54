import type { Knex } from 'knex';

/** How clients of existing frontends find the flows that they wait for: by ID, among those of every environment. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create index authorization_flows_client on authorization_flows (public_id) where mode = 'client';`);
}
