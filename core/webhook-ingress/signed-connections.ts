import type { Knex } from 'knex';
import type { ConnectionKey, WebhookEvent } from '#contract';
import type { Connection } from '../connections/connection.ts';
import { connectionById } from '../connections/connection-store.ts';
import type { Integration } from '../connections/integrations/integration.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { firstConnections } from './find-connections.ts';

/** Each is decrypted and tried; a delivery that names more is not worth the cost. */
const MAX_CONNECTIONS = 50;
/** Each is a query before anything is verified. */
const MAX_KEYS = 100;

/** The connections that a delivery names, whose secrets it may be signed with. */
export async function namedConnections(
  deps: { readonly db: Knex; readonly keys: KeyRing },
  { id: integrationId, environmentId }: Integration,
  events: readonly WebhookEvent[],
): Promise<Connection[]> {
  const ids = new Set<number>();
  for (const keys of differentKeys(events)) {
    if (ids.size >= MAX_CONNECTIONS) break;
    for (const { id } of await firstConnections(deps.db, { integrationId, keys })) ids.add(id);
  }
  const found: Connection[] = [];
  for (const id of [...ids].slice(0, MAX_CONNECTIONS)) {
    const connection = await connectionById(deps, environmentId, id);
    if (connection !== undefined) found.push(connection);
  }
  return found;
}

/** Equal keys of several events, as in a batch, count once. */
function differentKeys(events: readonly WebhookEvent[]): readonly (readonly ConnectionKey[])[] {
  let left = MAX_KEYS;
  const different = new Map(events.map(({ connections }) => [JSON.stringify(connections), connections]));
  return [...different.values()].map((keys) => {
    const some = keys.slice(0, left);
    left -= some.length;
    return some;
  });
}
