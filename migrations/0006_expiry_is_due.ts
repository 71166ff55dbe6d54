import type { Knex } from 'knex';

/** Credentials that expire and cannot be refreshed are due when they expire: a worker then records that the user is needed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update refreshes set due_at = least(due_at, c.expires_at) from connections c
    where c.id = refreshes.connection_id and c.expires_at is not null and not c.refreshable
      and c.state <> 'needs_reauth' and c.deleted_at is null`);
}
