import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { Config } from '../../config/schema.ts';
import { decryptAge } from '../../kit/age-file.ts';
import { errorCode } from '../../kit/error-code.ts';
import type { KeyRingFile } from '../../kit/key-ring-file.ts';
import { BackupFault } from './format.ts';

const MIN_PASSPHRASE = 20;
const THREAD = new URL('./sealing-thread.ts', import.meta.url);

/** Reads a passphrase from a file. @param name of the setting or flag that names the file, for the message */
export async function readPassphrase(path: string, name: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new BackupFault(`${name} names the file ${path}, which cannot be read (${errorCode(error)})`);
  });
  if (text.trim().length >= MIN_PASSPHRASE) return text.trim();
  throw new BackupFault(
    `${name} must name a file with at least ${MIN_PASSPHRASE} characters; create one with: openssl rand -base64 32`,
  );
}

interface KeySource {
  readonly config: Pick<Config, 'SVC_ENCRYPTION_KEYS'>;
  /** The file of the encryption keys, if they do not come from the settings. */
  readonly keyFile?: Pick<KeyRingFile, 'read'> | undefined;
}

/** Returns what seals the encryption keys of this installation; undefined without a passphrase. */
export function keySealer(passphrase: string | undefined, { config, keyFile }: KeySource): (() => Promise<string>) | undefined {
  if (passphrase === undefined) return undefined;
  return async () => {
    const keys = config.SVC_ENCRYPTION_KEYS ?? (await keyFile?.read());
    if (keys === undefined) throw new BackupFault('the file of the encryption keys is missing');
    return sealKeys(keys, passphrase);
  };
}

/**
 * Encrypts encryption keys with a passphrase, for the header of a backup. This is done in a thread of its own: deriving a key from
 * the passphrase takes a second, in which the service would respond to nobody.
 */
function sealKeys(keys: string, passphrase: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  new Worker(THREAD, { workerData: { keys, passphrase }, env: {} }).once('message', resolve).once('error', reject);
  return promise;
}

/** Decrypts what `sealKeys` returned. @throws AgeFileError when the passphrase is wrong */
export async function openSealedKeys(sealed: string, passphrase: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of decryptAge(Readable.from([Buffer.from(sealed, 'base64')]), passphrase)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
