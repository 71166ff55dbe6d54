import { createHash, createHmac } from 'node:crypto';
import { type RequestSignature, type SignableRequest, type SigningCredentials, textAt } from '#contract';

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

type Pair = readonly [name: string, value: string];

/** Signs the request: its HMAC is sent as the password of HTTP Basic, and the secret key itself is never sent. */
export function sign(request: SignableRequest, { tokens: { raw } }: SigningCredentials): RequestSignature {
  const date = request.at.toUTCString().replace('GMT', '-0000');
  const [key = '', secret = ''] = [textAt(raw, 'username'), textAt(raw, 'password')];
  const digest = createHmac('sha512', secret).update(canonicalRequest(request, date)).digest('hex');
  return { headers: { date, authorization: `Basic ${Buffer.from(`${key}:${digest}`).toString('base64')}` } };
}

/**
 * Returns the text to sign: for forms that of signature version 2, which covers their parameters, otherwise that of version 5.
 */
export function canonicalRequest(request: SignableRequest, date: string): string {
  const { method, url, headers, body = new Uint8Array() } = request;
  const head = [date, method, url.host.toLowerCase(), url.pathname];
  const inQuery = [...url.searchParams];
  if (FORM.test(headers['content-type'] ?? ''))
    return [...head, canonicalPairs([...inQuery, ...new URLSearchParams(Buffer.from(body).toString('utf8'))])].join('\n');
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-duo-'));
  const ownText = own.toSorted(byCodeUnits).flat().join('\0');
  return [...head, canonicalPairs(inQuery), hexSha512(body), hexSha512(ownText)].join('\n');
}

/** Encodes, sorts and joins parameters as RFC 5849 §3.4.1.3.2 says. */
function canonicalPairs(pairs: readonly Pair[]): string {
  const encoded = pairs.map(([name, value]): Pair => [percentEncoded(name), percentEncoded(value)]);
  return encoded
    .toSorted(byCodeUnits)
    .map((pair) => pair.join('='))
    .join('&');
}

function byCodeUnits([one, first]: Pair, [other, second]: Pair): number {
  if (one === other) return first < second ? -1 : 1;
  return one < other ? -1 : 1;
}

/** Percent-encodes a text as RFC 3986 §2.3 says. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hexSha512(content: Uint8Array | string): string {
  return createHash('sha512').update(content).digest('hex');
}
