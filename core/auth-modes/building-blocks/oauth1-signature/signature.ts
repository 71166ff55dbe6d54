import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { ProviderDefinition } from '#contract';
import { ServiceError } from '../../../errors.ts';
import type { SignedRequest } from '../../auth-mode.ts';

/** Names and values, not yet encoded. */
export type Parameters = readonly (readonly [name: string, value: string])[];

export type SignatureMethod = NonNullable<ProviderDefinition['signature_method']>;

interface Secrets {
  readonly consumerSecret: string;
  readonly tokenSecret: string;
  /** The private key (PEM) for RSA signatures. Default: the consumer secret, if that is a PEM. */
  readonly privateKey?: string | undefined;
}

/** Maximum number of parameters. They are sorted synchronously, which must not hold up other requests. */
const MAX_PARAMETERS = 10_000;

/**
 * Returns a function that turns a signature base string into the signature (RFC 5849 §3.4.2 to §3.4.4).
 *
 * @throws ServiceError `missing_client_id` for RSA without an RSA private key
 */
export function signatureFunction(
  method: SignatureMethod,
  { consumerSecret, tokenSecret, privateKey = consumerSecret }: Secrets,
): (base: string) => string {
  if (method === 'RSA-SHA1') return rsaFunction(privateKey);
  const key = `${percentEncode(consumerSecret)}&${percentEncode(tokenSecret)}`;
  if (method === 'PLAINTEXT') return () => key;
  const hash = method === 'HMAC-SHA1' ? 'sha1' : 'sha256';
  return (base) => createHmac(hash, key).update(base, 'ascii').digest('base64');
}

function rsaFunction(pem: string): (base: string) => string {
  const key = privateKeyOf(pem);
  if (key?.asymmetricKeyType !== 'rsa') {
    const message = "the integration's private key, or else its client secret, must be the PEM of an RSA private key";
    throw new ServiceError('missing_client_id', message);
  }
  return (base) => sign('sha1', Buffer.from(base, 'ascii'), key).toString('base64');
}

/** Reads a private key; undefined if the text is not one. The parser's error is dropped, since it may quote the text. */
function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/**
 * Returns the signature base string (RFC 5849 §3.4.1).
 *
 * @param protocol the `oauth_` parameters without the signature and the realm
 */
export function signatureBase({ method, origin, path, form = '' }: SignedRequest, protocol: Parameters): string {
  const queryAt = path.indexOf('?');
  const uri = origin + (queryAt === -1 ? path : path.slice(0, queryAt));
  const query = queryAt === -1 ? '' : path.slice(queryAt + 1);
  if (countOf(query) + countOf(form) > MAX_PARAMETERS)
    throw new ServiceError('payload_too_large', `a signed request may have at most ${MAX_PARAMETERS} parameters`);
  const parameters = [...new URLSearchParams(query), ...protocol, ...new URLSearchParams(form)];
  return [method.toUpperCase(), uri, normalized(parameters)].map(percentEncode).join('&');
}

function countOf(form: string): number {
  return form.split('&').length;
}

/** Normalizes the parameters (§3.4.1.3.2): sorted by encoded name, then by encoded value, both of which are ASCII. */
function normalized(parameters: Parameters): string {
  return parameters
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .toSorted(([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Escapes all but the unreserved characters (§3.6), including the five that `encodeURIComponent` leaves unescaped. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
