import { versionOf } from '../kit/key-ring.ts';
import type { ConnectionRow } from './connection-row.ts';
import { credentialsPlace, secretConfigPlace } from './connection-row.ts';
import type { ConnectionsDeps } from './deps.ts';

type SealedRow = Pick<ConnectionRow, 'id' | 'environment_id' | 'integration_id' | 'credentials' | 'secret_config'>;

/**
 * Seals one page of connections for their integrations, of all environments. One that is written meanwhile keeps what was
 * written; one that no key opens stays as it is.
 *
 * @returns the last row's ID; undefined at the end
 */
export async function resealConnections(
  { db, keys }: Pick<ConnectionsDeps, 'db' | 'keys'>,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
): Promise<number | undefined> {
  const rows: SealedRow[] = await db<ConnectionRow>('connections')
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .select('id', 'environment_id', 'integration_id', 'credentials', 'secret_config');
  for (const row of rows) {
    const changed = resealed(keys, row);
    if (changed === undefined) continue;
    await db<ConnectionRow>('connections')
      .where({ id: row.id, environment_id: row.environment_id, credentials: row.credentials })
      .whereRaw('secret_config is not distinct from ?', [row.secret_config])
      .update(changed);
  }
  return rows.at(-1)?.id;
}

/** Undefined where there is nothing to do. */
function resealed(
  keys: ConnectionsDeps['keys'],
  row: SealedRow,
): Pick<ConnectionRow, 'credentials' | 'secret_config'> | undefined {
  const { credentials, secret_config: secrets } = row;
  const place = { id: row.id, environmentId: row.environment_id, integrationId: row.integration_id };
  const [first, second] = [credentialsPlace(place), secretConfigPlace(place)];
  try {
    if (versionOf(credentials) === 2 && (secrets === null || versionOf(secrets) === 2)) return undefined;
    return {
      credentials: keys.encrypt(keys.decrypt(credentials, first), first),
      secret_config: secrets && keys.encrypt(keys.decrypt(secrets, second), second),
    };
  } catch {
    return undefined;
  }
}
