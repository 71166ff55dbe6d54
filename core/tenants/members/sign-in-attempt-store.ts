import type { Knex } from 'knex';

/**
 * Counts one more attempt. To be called before the password is checked, so that concurrent attempts get no more tries than
 * successive ones.
 *
 * @returns the number of attempts in the window so far, and the end of the window
 */
export async function countAttempt(
  db: Knex,
  keyHash: Buffer,
  { now, windowEnds }: { readonly now: Date; readonly windowEnds: Date },
): Promise<{ readonly count: number; readonly endsAt: Date }> {
  const { rows }: { rows: [{ count: number; window_ends_at: Date }] } = await db.raw(
    `insert into sign_in_attempts as a (key_hash, count, window_ends_at) values (:keyHash, 1, :windowEnds)
     on conflict (key_hash) do update set
       count = case when a.window_ends_at <= :now then 1 else a.count + 1 end,
       window_ends_at = case when a.window_ends_at <= :now then excluded.window_ends_at else a.window_ends_at end
     returning count, window_ends_at`,
    { keyHash, now, windowEnds },
  );
  return { count: rows[0].count, endsAt: rows[0].window_ends_at };
}

export async function forgetAttempts(db: Knex, keyHash: Buffer): Promise<void> {
  await db('sign_in_attempts').where({ key_hash: keyHash }).delete();
}

/** Takes back the count of one attempt, which turned out to be right. */
export async function takeBackAttempt(db: Knex, keyHash: Buffer): Promise<void> {
  await db('sign_in_attempts').where({ key_hash: keyHash }).where('count', '>', 0).decrement('count', 1);
}
