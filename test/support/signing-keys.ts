import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { JwtAlgorithm } from '#contract';
import { rememberSecret } from './canaries.ts';

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });

/** One real key pair of each kind. */
export const PAIRS = {
  rsa,
  p256: ec('P-256'),
  p384: ec('P-384'),
  p521: ec('P-521'),
  ed25519: generateKeyPairSync('ed25519'),
} as const satisfies Readonly<Record<string, KeyPair>>;
export type PairName = keyof typeof PAIRS;

/** The key pair that each algorithm uses. */
export const PAIR_OF: Readonly<Partial<Record<JwtAlgorithm, PairName>>> = {
  RS256: 'rsa',
  RS384: 'rsa',
  RS512: 'rsa',
  PS256: 'rsa',
  PS384: 'rsa',
  PS512: 'rsa',
  ES256: 'p256',
  ES384: 'p384',
  ES512: 'p521',
  EdDSA: 'ed25519',
};

export function pemOf({ privateKey }: KeyPair, type: 'pkcs8' | 'pkcs1' | 'sec1' = 'pkcs8'): string {
  const pem = privateKey.export({ type: type as 'pkcs8', format: 'pem' });
  return rememberPem(pem.toString());
}

export function derOf({ privateKey }: KeyPair, type: 'pkcs8' | 'pkcs1' | 'sec1' = 'pkcs8'): Buffer {
  return privateKey.export({ type: type as 'pkcs8', format: 'der' });
}

/** Remembers a private key and each of its lines as secrets, so that a leaked key is found whatever separates its lines. */
export function rememberPem(pem: string): string {
  for (const line of pem.split('\n').filter((part) => part.length === 64)) rememberSecret('line of a private key', line);
  return rememberSecret('private key', pem);
}

/** Returns a secret of 32 bytes, as hexadecimal digits. */
export function hexSecret(): string {
  return rememberSecret('HMAC secret', randomBytes(32).toString('hex'));
}

/** Returns a fresh private key for ES256. */
export function newPem(): string {
  return pemOf(ec('P-256'));
}
