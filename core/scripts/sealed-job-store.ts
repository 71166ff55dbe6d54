import type { Knex } from 'knex';

/** Whether the script of a webhook waits whose envelope is of version 1. Not of those that have waited for a day. */
export async function hasJobsOfVersion1(db: Knex): Promise<boolean> {
  const { rows }: { rows: unknown[] } = await db.raw(
    `select from pgboss.job
     where name = 'script-run' and state in ('created', 'retry', 'active') and created_on > now() - interval '1 day'
       and get_byte(decode(left(data ->> 'webhook', 4), 'base64'), 0) = 1
     limit 1`,
  );
  return rows.length > 0;
}
