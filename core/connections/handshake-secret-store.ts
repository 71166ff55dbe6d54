import type { Knex } from 'knex';
import { withTransaction } from '../db/transaction.ts';
import { parseJson } from '../kit/exact-json.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { Connection } from './connection.ts';
import { type ConnectionPlace, type ConnectionRow, handshakeSecretsPlace } from './connection-row.ts';

/** Maximum number of secrets per connection; a provider issues one for each registration. */
const MAX_SECRETS = 10;
/** How long after the start of a registration its handshake may arrive, in minutes. */
const OPEN_MINUTES = 10;

interface SecretsDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

type Address = Pick<Connection, 'environmentId' | 'integrationId' | 'connectionId'>;
type SecretsRow = Pick<ConnectionRow, 'id' | 'handshake_secrets'>;

/**
 * Allows handshakes to bring secrets to the webhook address of a connection for `OPEN_MINUTES`, in which its webhooks are
 * registered.
 */
export async function expectHandshake(db: Knex, { id, environmentId }: Pick<Connection, 'id' | 'environmentId'>): Promise<void> {
  await db<ConnectionRow>('connections')
    .where({ id, environment_id: environmentId })
    .update({ handshake_until: db.raw(`now() + interval '${OPEN_MINUTES} minutes'`) });
}

/**
 * Stores a secret that a handshake has brought, in addition to those of earlier handshakes.
 *
 * @returns false, without writing anything, when the connection expects no handshake or already has the maximum number of secrets
 */
export function keepHandshakeSecret({ db, keys }: SecretsDeps, address: Address, secret: string): Promise<boolean> {
  return withTransaction(db, async (trx) => {
    const row: (SecretsRow & { readonly is_open: boolean }) | undefined = await live(trx, address)
      .forUpdate()
      .first('id', 'handshake_secrets', trx.raw('coalesce(handshake_until > now(), false) as is_open'));
    if (row === undefined) return false;
    const place = { ...address, id: row.id };
    const known = opened(keys, row, place);
    // A repeated handshake: the response to the first one may have been lost.
    if (known.includes(secret)) return true;
    if (!row.is_open || known.length >= MAX_SECRETS) return false;
    const sealed = keys.encrypt(JSON.stringify([...known, secret]), handshakeSecretsPlace(place));
    await trx<ConnectionRow>('connections').where({ id: row.id }).update({ handshake_secrets: sealed });
    return true;
  });
}

/** Reads the secrets that handshakes have brought to the webhook address of a connection. */
export async function handshakeSecretsOf({ db, keys }: SecretsDeps, address: Address): Promise<readonly string[]> {
  const row: SecretsRow | undefined = await live(db, address).first('id', 'handshake_secrets');
  return row === undefined ? [] : opened(keys, row, { ...address, id: row.id });
}

function live(db: Knex, { environmentId, integrationId, connectionId }: Address) {
  return db<ConnectionRow>('connections')
    .where({ environment_id: environmentId, integration_id: integrationId, connection_id: connectionId })
    .whereNull('deleted_at');
}

function opened(keys: KeyRing, { handshake_secrets: sealed }: SecretsRow, place: ConnectionPlace): readonly string[] {
  return sealed === null ? [] : (parseJson(keys.decrypt(sealed, handshakeSecretsPlace(place))) as string[]);
}
