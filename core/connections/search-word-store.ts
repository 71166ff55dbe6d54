import type { Knex } from 'knex';
import type { StoreDeps } from '../db/store-deps.ts';
import { withTransaction } from '../db/transaction.ts';
import { type KeyRing, KeyRingError } from '../kit/key-ring.ts';
import type { Connection, EndUser, StoredAccount } from './connection.ts';
import { type ConnectionRow, openAccount } from './connection-row.ts';
import { type Searchable, searchWords } from './search-words.ts';

/** Number of connections that get their words in one transaction. */
const AT_ONCE = 200;

/** Stores the words by which a connection is found, in place of former ones. */
export async function writeSearchWords(
  db: Knex,
  { id, environmentId, ...connection }: Pick<Connection, 'id' | 'environmentId'> & Searchable,
): Promise<void> {
  await db.raw(
    `with gone as (delete from connection_words where connection_id = :id and word <> all(:words))
     insert into connection_words (environment_id, connection_id, word)
     select :environmentId, :id, unnest(:words::text[]) on conflict do nothing`,
    { id, environmentId, words: [...searchWords(connection)] },
  );
}

/** Gives words to the connections that have none yet, because a version of the service stored them that did not write words. */
export async function addMissingSearchWords(deps: StoreDeps): Promise<void> {
  while ((await addSome(deps)) === AT_ONCE);
}

/** @returns how many connections were given words */
function addSome({ db, keys }: StoreDeps): Promise<number> {
  return withTransaction(db, async (trx) => {
    const rows = await trx<ConnectionRow>('connections')
      .where('is_searchable', false)
      .whereNull('deleted_at')
      .orderBy('id')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .select('id', 'environment_id', 'connection_id', 'tags', 'end_user', 'provider_account');
    for (const row of rows) {
      const { id, environment_id: environmentId, connection_id: connectionId, tags } = row;
      const endUser = row.end_user as EndUser | null;
      await writeSearchWords(trx, { id, environmentId, connectionId, tags, endUser, providerAccount: accountOf(keys, row) });
    }
    const ids = rows.map(({ id }) => id);
    await trx<ConnectionRow>('connections').whereRaw('id = any(?)', [ids]).update({ is_searchable: true });
    return rows.length;
  });
}

/** Returns the account of a row; null also if it cannot be decrypted: the connection is found by its other words. */
function accountOf(keys: KeyRing, row: Parameters<typeof openAccount>[1]): StoredAccount | null {
  try {
    return openAccount(keys, row);
  } catch (error) {
    if (error instanceof KeyRingError) return null;
    throw error;
  }
}
