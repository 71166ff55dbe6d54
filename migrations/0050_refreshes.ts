import type { Knex } from 'knex';

/**
 * What is due to be refreshed or verified, and who is at it: one narrow row for each connection that is not marked deleted. The
 * lease moves here from `connections`. When a row is due and where its call goes is derived, and put right by whoever claims it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table refreshes (
      connection_id bigint primary key references connections (id) on delete cascade,
      environment_id bigint not null,
      generation integer not null,
      -- null: never by itself
      due_at timestamptz,
      token_origin text not null,
      owner text,
      leased_at timestamptz,
      lease_until timestamptz
    );
    insert into refreshes
      select c.id, c.environment_id, c.generation,
        case
          when c.state = 'needs_reauth' then null
          when c.refreshable then greatest(c.refresh_after,
            least(c.expires_at - interval '15 minutes', c.refreshed_at + interval '24 hours'))
          else greatest(c.refresh_after, c.refreshed_at + interval '23 hours')
        end,
        i.provider || '/' || i.id, c.refresh_owner, c.refresh_until, c.refresh_until
      from connections c join integrations i on i.id = c.integration_id
      where c.deleted_at is null;
    create index refreshes_due on refreshes (due_at) where owner is null;
    create index refreshes_leased on refreshes (token_origin, leased_at) where owner is not null;

    alter table connections
      drop column refresh_owner, drop column refresh_until, drop column refresh_unresolved_until;
    drop index connections_due, connections_idle;
  `);
}
