import { createPrivateKey, createSecretKey, type KeyObject } from 'node:crypto';
import { hasSecretKey, type JwtAlgorithm, type KeyEncoding } from '#contract';
import { decodeKey } from './key-text.ts';
import { SigningKeyError } from './signing-key-error.ts';

/** Minimum size of an RSA key in bits (RFC 7518 §3.3 and §3.5). */
const MIN_RSA_BITS = 2048;

/** A key and the only algorithm that it is used with. */
export interface SigningKey {
  readonly algorithm: JwtAlgorithm;
  readonly key: KeyObject;
}

/** The key type of an algorithm, and for ES algorithms its curve (RFC 7518 §3.4). */
interface KeyKind {
  readonly type: 'rsa' | 'ec' | 'ed25519';
  readonly curve?: string;
  readonly name: string;
}

const RSA: KeyKind = { type: 'rsa', name: 'an RSA key' };
const P256: KeyKind = { type: 'ec', curve: 'prime256v1', name: 'an EC key on the curve P-256' };
const P384: KeyKind = { type: 'ec', curve: 'secp384r1', name: 'an EC key on the curve P-384' };
const P521: KeyKind = { type: 'ec', curve: 'secp521r1', name: 'an EC key on the curve P-521' };
const ED25519: KeyKind = { type: 'ed25519', name: 'an Ed25519 key' };

const KINDS: Readonly<Partial<Record<JwtAlgorithm, KeyKind>>> = {
  RS256: RSA,
  RS384: RSA,
  RS512: RSA,
  PS256: RSA,
  PS384: RSA,
  PS512: RSA,
  ES256: P256,
  ES384: P384,
  ES512: P521,
  EdDSA: ED25519,
};

interface KeyFormat {
  readonly algorithm: JwtAlgorithm;
  /** The encoding of the key. Default: `utf8` for HS algorithms, `pem` for others. */
  readonly encoding?: KeyEncoding | undefined;
}

/**
 * Reads a signing key and checks that it suits the algorithm.
 *
 * @param text the secret for HS algorithms, otherwise a private key: PEM, or the bytes of its DER (PKCS #8, PKCS #1 or SEC 1)
 * @throws SigningKeyError if it does not suit the algorithm, or cannot be read
 */
export function readSigningKey(text: string, { algorithm, encoding }: KeyFormat): SigningKey {
  if (hasSecretKey(algorithm)) return { algorithm, key: readSecret(text, encoding ?? 'utf8') };
  const key = readPrivateKey(text, encoding ?? 'pem');
  requireKind(key, algorithm);
  return { algorithm, key };
}

function readSecret(text: string, encoding: KeyEncoding): KeyObject {
  const secret = decodeKey(text, encoding);
  if (typeof secret === 'string') throw new SigningKeyError('it is a PEM, but the algorithm needs a secret');
  if (secret.length === 0) throw new SigningKeyError('it is empty');
  return createSecretKey(secret);
}

function readPrivateKey(text: string, encoding: KeyEncoding): KeyObject {
  const decoded = decodeKey(text, encoding);
  const key =
    typeof decoded === 'string'
      ? parsed(() => createPrivateKey(decoded))
      : (derKey(decoded, 'pkcs8') ?? derKey(decoded, 'pkcs1') ?? derKey(decoded, 'sec1'));
  if (key === undefined) throw new SigningKeyError('it is not a private key (PKCS #8, PKCS #1 or SEC 1)');
  return key;
}

function derKey(key: Buffer, type: 'pkcs8' | 'pkcs1' | 'sec1'): KeyObject | undefined {
  return parsed(() => createPrivateKey({ key, format: 'der', type }));
}

/** Returns the parsed key; undefined if it is invalid. The parser's error is dropped, since it may describe the key. */
function parsed(parse: () => KeyObject): KeyObject | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function requireKind({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, algorithm: JwtAlgorithm): void {
  const { type, curve, name } = KINDS[algorithm] ?? RSA;
  if (asymmetricKeyType !== type || (curve !== undefined && asymmetricKeyDetails?.namedCurve !== curve))
    throw new SigningKeyError(`${algorithm} needs ${name}`);
  if (type === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS)
    throw new SigningKeyError(`${algorithm} needs an RSA key of at least ${MIN_RSA_BITS} bits`);
}
