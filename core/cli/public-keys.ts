import type { Knex } from 'knex';
import { isPublicKey, setHmacKey, setPublicKey } from '../environments/public-key-store.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { refused, usage } from './output.ts';

const MAX_HMAC_KEY = 255;

/** What `env set` changes of the deprecated public key; null takes away. */
interface PublicKeyChanges {
  readonly publicKey?: string | null;
  readonly hmacKey?: string | null;
}

/** `--public-key` and `--hmac-key`; empty clears. @throws CommandError */
export function publicKeyChanges(values: Readonly<Record<string, unknown>>): PublicKeyChanges {
  const [publicKey, hmacKey] = [values['public-key'], values['hmac-key']];
  return {
    ...(publicKey !== undefined && { publicKey: readPublicKey(String(publicKey)) }),
    ...(hmacKey !== undefined && { hmacKey: readHmacKey(String(hmacKey)) }),
  };
}

/** @throws CommandError when another environment has the public key */
export async function changePublicKeys(
  deps: { readonly db: Knex; readonly keys: KeyRing },
  environmentId: number,
  { publicKey, hmacKey }: PublicKeyChanges,
): Promise<void> {
  if (publicKey !== undefined && !(await setPublicKey(deps.db, environmentId, publicKey)))
    throw refused('another environment has this public key; each needs its own');
  if (hmacKey !== undefined) await setHmacKey(deps, environmentId, hmacKey);
}

function readPublicKey(text: string): string | null {
  if (text === '') return null;
  if (!isPublicKey(text)) throw usage('--public-key must be a UUID, or empty to clear it');
  return text;
}

function readHmacKey(text: string): string | null {
  if (text.length > MAX_HMAC_KEY) throw usage(`--hmac-key has at most ${MAX_HMAC_KEY} characters, or is empty to clear it`);
  return text === '' ? null : text;
}
