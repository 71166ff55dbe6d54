import { isPublicKey, setHmacKey, setPublicKey } from '../tenants/api-keys/public-key-store.ts';
import type { CommandContext } from './command-context.ts';
import { commandError, usageError } from './output.ts';

const MAX_HMAC_KEY = 255;

/** Changes to the deprecated public key and its HMAC key; null clears. */
interface PublicKeyChanges {
  readonly publicKey?: string | null;
  readonly hmacKey?: string | null;
}

/** Parses `--public-key` and `--hmac-key`; an empty value clears. @throws CommandError */
export function publicKeyChanges(values: Readonly<Record<string, unknown>>): PublicKeyChanges {
  const [publicKey, hmacKey] = [values['public-key'], values['hmac-key']];
  return {
    ...(publicKey !== undefined && { publicKey: readPublicKey(String(publicKey)) }),
    ...(hmacKey !== undefined && { hmacKey: readHmacKey(String(hmacKey)) }),
  };
}

/** @throws CommandError when another environment uses the public key */
export async function changePublicKeys(
  context: Pick<CommandContext, 'db' | 'keys'>,
  environmentId: number,
  { publicKey, hmacKey }: PublicKeyChanges,
): Promise<void> {
  if (publicKey !== undefined && !(await setPublicKey(context.db, environmentId, publicKey)))
    throw commandError('another environment already uses this public key');
  if (hmacKey !== undefined) await setHmacKey(context, environmentId, hmacKey);
}

function readPublicKey(text: string): string | null {
  if (text === '') return null;
  if (!isPublicKey(text)) throw usageError('--public-key must be a UUID, or empty to clear it');
  return text;
}

function readHmacKey(text: string): string | null {
  if (text.length > MAX_HMAC_KEY)
    throw usageError(`--hmac-key must have at most ${MAX_HMAC_KEY} characters, or be empty to clear it`);
  return text === '' ? null : text;
}
