import type { Knex } from 'knex';
import type { PublicKeyCaller } from './caller.ts';
import { environmentIdOfPublicKey } from './public-key-store.ts';

/** Whose a public key is; undefined when it is nobody's. */
export async function publicKeyCaller(db: Knex, publicKey: string): Promise<PublicKeyCaller | undefined> {
  const environmentId = await environmentIdOfPublicKey(db, publicKey);
  return environmentId === undefined ? undefined : { kind: 'public_key', environmentId };
}
