import type { Knex } from 'knex';

/**
 * Finds and counts connections by index, however many there are. Connections that exist already get the words by which they are
 * found from a schedule, since accounts at providers are encrypted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table connection_words (
      environment_id bigint not null,
      connection_id bigint not null references connections on delete cascade,
      word text collate "C" not null,
      primary key (environment_id, word, connection_id)
    );
    comment on table connection_words is 'What a connection is found by: a search term is a prefix of one of its words.';
    create index connection_words_connection on connection_words (connection_id);

    alter table connections add column is_searchable boolean not null default false;
    create index connections_not_searchable on connections (id) where not is_searchable and deleted_at is null;
    drop index if exists connections_search;

    create index connections_by_state on connections (environment_id, state, id) where deleted_at is null;
    create index connections_of_integration on connections (integration_id, state, id) where deleted_at is null;
    drop index connections_unhealthy;
  `);
}
