import { createHash, randomBytes } from 'node:crypto';
import type { ProviderDefinition } from '#contract';

interface Login {
  readonly username: string;
  readonly password: string;
}

type DigestForm = NonNullable<ProviderDefinition['signature']>['digest'];

const NONCE_BYTES = 16;

/**
 * Returns the value of an `X-WSSE` header: a digest that proves knowledge of the password without containing it (M. Pilgrim,
 * "Atom Authentication", xml.com 2003, after the UsernameToken of WS-Security).
 */
export function usernameToken({ username, password }: Login, digestForm: DigestForm, at: Date): string {
  const nonce = randomBytes(NONCE_BYTES).toString('hex');
  const created = at.toISOString().replace(/\.\d+Z$/, 'Z');
  const digest = passwordDigest(nonce + created + password, digestForm);
  const members = { Username: username, PasswordDigest: digest, Nonce: nonce, Created: created };
  return `UsernameToken ${Object.entries(members)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(', ')}`;
}

/** Returns the digest in base64. Some servers expect the base64 of its hex digits in place of that of its bytes. */
export function passwordDigest(text: string, form: DigestForm): string {
  const sha1 = createHash('sha1').update(text, 'utf8');
  return form === 'hex' ? Buffer.from(sha1.digest('hex'), 'ascii').toString('base64') : sha1.digest('base64');
}

/** Quotes a value, escaping quotation marks so that they do not end it (RFC 9110 §5.6.4). */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
