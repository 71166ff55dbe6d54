import type { Knex } from 'knex';

/** No key has this ID: what stands under it says that the instance is there. */
const PRESENCE = 0;
/** Who has said nothing for so long is not there any more. */
const ABSENT_AFTER = '15 seconds';

/** What one instance says of a key and the running minute. */
export interface RateCount {
  readonly keyId: number;
  readonly taken: number;
  /** How many it may take in this minute without asking again, those that it has taken included. */
  readonly kept: number;
}

/** What all the others say of a key, summed up. */
export interface RateSum extends RateCount {
  readonly speakers: number;
}

interface Exchange {
  readonly instanceId: string;
  /** The beginning of the minute. */
  readonly window: Date;
  readonly own: readonly RateCount[];
}

/** Leaves what an instance has to say of the running minute and takes what the others have said, in one round trip. */
export async function exchangeCounts(
  db: Knex,
  { instanceId, window, own }: Exchange,
): Promise<{ readonly others: number; readonly sums: readonly RateSum[] }> {
  const said = [{ keyId: PRESENCE, taken: 0, kept: 0 }, ...own];
  const columns = [said.map(({ keyId }) => keyId), said.map(({ taken }) => taken), said.map(({ kept }) => kept)];
  // Rows that another instance is removing are skipped: waiting for each other could end in a deadlock.
  const { rows }: { rows: (RateSum & { readonly others: number })[] } = await db.raw(
    `with said as (
       insert into rate_counts (window_start, key_id, instance_id, taken, kept)
       select ?, key_id, ?, taken, kept
       from unnest(?::bigint[], ?::integer[], ?::integer[]) as own (key_id, taken, kept)
       on conflict (window_start, key_id, instance_id)
       do update set taken = excluded.taken, kept = excluded.kept, told_at = excluded.told_at
     ), forgotten as (
       delete from rate_counts
       where ctid in (
         select ctid from rate_counts where window_start < ?::timestamptz - interval '2 minutes' for update skip locked
       )
     ), present as (
       select distinct instance_id from rate_counts
       where key_id = ${PRESENCE} and instance_id <> ? and told_at > now() - interval '${ABSENT_AFTER}'
     )
     select key_id as "keyId", sum(taken) as taken,
       sum(case when present.instance_id is null then taken else kept end) as kept,
       count(present.instance_id) as speakers,
       (select count(*) from present) as others
     from rate_counts left join present using (instance_id)
     where window_start = ? and instance_id <> ? and key_id <> ${PRESENCE}
     group by key_id
     union all select ${PRESENCE}, 0, 0, 0, count(*) from present`,
    [window, instanceId, ...columns, window, instanceId, window, instanceId],
  );
  return { others: rows.at(-1)?.others ?? 0, sums: rows.slice(0, -1) };
}
