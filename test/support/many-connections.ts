import type { Knex } from 'knex';
import { credentialsPlace } from '../../core/connections/connection-row.ts';
import { nextIds } from '../../core/db/next-id.ts';
import type { KeyRing } from '../../core/kit/key-ring.ts';

const BATCH = 1_000;

interface Wanted {
  readonly environmentId: number;
  readonly integrationId: number;
  readonly count: number;
}

/**
 * Stores connections `many-0`, `many-1` … that are never refreshed. The API key of each is `secret-` followed by its connection
 * ID.
 */
export async function storeMany(db: Knex, keys: KeyRing, { environmentId, integrationId, count }: Wanted): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const ids = await nextIds(db, 'connections', Math.min(BATCH, count - from));
    const rows = ids.map((id, index) => {
      const connectionId = `many-${from + index}`;
      const credentials = { type: 'API_KEY', apiKey: `secret-${connectionId}`, raw: {} };
      const place = credentialsPlace({ id, environmentId, integrationId });
      return {
        id,
        environment_id: environmentId,
        integration_id: integrationId,
        connection_id: connectionId,
        credentials: keys.encrypt(JSON.stringify(credentials), place),
      };
    });
    await db('connections').insert(rows);
  }
}
