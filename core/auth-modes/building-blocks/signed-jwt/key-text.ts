import type { KeyEncoding } from '#contract';
import { SigningKeyError } from './signing-key-error.ts';

/**
 * Matches a PEM (RFC 7468 §2), also one without line breaks, as people paste it, or with a literal `\n` in their place, as
 * environment variables contain it.
 */
const PEM = /-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----/s;
const PEM_START = '-----BEGIN ';
const PEM_LINE = /.{1,64}/g;
const HEX = /^(?:[0-9a-f]{2})*$/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const PRIVATE_KEY = /^(?:RSA |EC )?PRIVATE KEY$/;

/**
 * Decodes a key into bytes or, if it is a PEM, into a PEM with proper line breaks.
 *
 * @throws SigningKeyError for text that is not in this encoding
 */
export function decodeKey(text: string, encoding: KeyEncoding): Buffer | string {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'hex':
      return bytesOf(text, HEX, 'hex');
    case 'base64':
      return pemOrBytes(text);
    case 'pem':
      return tidyPem(text, PRIVATE_KEY);
  }
}

/**
 * Restores the line breaks of a PEM.
 *
 * @param label the pattern that the PEM's label must match
 * @throws SigningKeyError if the text is not a PEM with such a label, or is encrypted or damaged
 */
export function tidyPem(text: string, label: RegExp): string {
  const [, found = '', body = ''] = PEM.exec(text.replace(/\\[rn]/g, '\n')) ?? [];
  if (found === '') throw new SigningKeyError('it is not a PEM, which begins with "-----BEGIN"');
  if (found === 'ENCRYPTED PRIVATE KEY' || body.includes('Proc-Type:'))
    throw new SigningKeyError('it is encrypted with a passphrase; give the unencrypted key');
  if (!label.test(found)) throw new SigningKeyError('it is a PEM of another kind, such as a public key');
  const base64 = body.replace(/\s+/g, '');
  if (base64 === '' || !BASE64.test(base64)) throw new SigningKeyError('its PEM is damaged');
  return [`-----BEGIN ${found}-----`, ...(base64.match(PEM_LINE) ?? []), `-----END ${found}-----`, ''].join('\n');
}

/** Decodes base64; the content may itself be a PEM. */
function pemOrBytes(text: string): Buffer | string {
  const bytes = bytesOf(text, BASE64, 'base64');
  const decoded = bytes.toString('latin1');
  return decoded.trimStart().startsWith(PEM_START) ? tidyPem(decoded, PRIVATE_KEY) : bytes;
}

function bytesOf(text: string, form: RegExp, encoding: 'hex' | 'base64'): Buffer {
  const compact = text.replace(/\\[rn]|\s+/g, '');
  // The URL-safe alphabet (RFC 4648 §5) is accepted, since it encodes the same bytes.
  const standard = encoding === 'base64' ? compact.replaceAll('-', '+').replaceAll('_', '/') : compact;
  if (!form.test(standard)) throw new SigningKeyError(`it is not ${encoding}`);
  return Buffer.from(standard, encoding);
}
