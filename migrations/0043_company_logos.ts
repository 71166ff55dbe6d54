import type { Knex } from 'knex';

/** Icons that companies publish on their own sites, by domain, for the dashboard. Without image: there was none to be had. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table company_logos (
      domain text primary key,
      image bytea,
      fetched_at timestamptz not null default clock_timestamp()
    );

    -- whether an environment has an end user of a domain
    create index connections_email_domain on connections
      (environment_id, lower(substring(tags ->> 'end_user_email' from '@([^@]+)$')))
      where deleted_at is null and (tags ->> 'end_user_email') is not null;
  `);
}
