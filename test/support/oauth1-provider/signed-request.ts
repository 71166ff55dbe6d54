import { createPublicKey, verify } from 'node:crypto';
import type { LedgerEntry } from '../scripted-server/ledger.ts';
import { oauthSign } from './libraries.ts';

const FORM = 'application/x-www-form-urlencoded';
const MAX_AGE_SECONDS = 300;

/** The decoded `oauth_` parameters of the header `Authorization`, without the realm. */
export type Protocol = Readonly<Record<string, string>>;

/** The secrets with which a request is signed; `privateKey` is for RSA signatures. */
export interface Keys {
  readonly consumerSecret: string;
  readonly tokenSecret: string;
  readonly privateKey: string;
}

export function protocolOf({ headers }: LedgerEntry): Protocol {
  const pairs = [...(headers.authorization ?? '').matchAll(/(oauth_\w+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decodeURIComponent(value)]));
}

/** Returns whether the request, as it arrived, has the signature that an independent library computes for it (RFC 5849 §3.2). */
export function isSigned(entry: LedgerEntry, origin: string, keys: Keys): boolean {
  const { oauth_signature: signature = '', ...protocol } = protocolOf(entry);
  const url = new URL(entry.target, origin);
  const parameters = { ...listed(url.searchParams), ...listed(formOf(entry)), ...protocol };
  const uri = url.origin + url.pathname;
  const method = protocol['oauth_signature_method'] ?? '';
  if (method !== 'RSA-SHA1')
    return signature === oauthSign.sign(method, entry.method, uri, parameters, keys.consumerSecret, keys.tokenSecret);
  const base = oauthSign.generateBase(entry.method, uri, parameters);
  return verify('sha1', Buffer.from(base), createPublicKey(keys.privateKey), Buffer.from(signature, 'base64'));
}

/** Returns whether the timestamp is recent and the nonce has not been used (RFC 5849 §3.3), and marks the nonce as used. */
export function isNew({ oauth_timestamp: time, oauth_nonce: nonce = '' }: Protocol, used: Set<string>): boolean {
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(time));
  if (!(ageSeconds < MAX_AGE_SECONDS) || nonce === '' || used.has(nonce)) return false;
  used.add(nonce);
  return true;
}

function formOf({ headers, body }: LedgerEntry): URLSearchParams {
  return new URLSearchParams(headers['content-type']?.startsWith(FORM) ? body.toString('utf8') : '');
}

function listed(parameters: URLSearchParams): Record<string, string[]> {
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]));
}
