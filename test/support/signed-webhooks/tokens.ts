import { createHmac, type KeyObject, sign } from 'node:crypto';

export type TokenPart = Readonly<Record<string, unknown>>;

/** Signs the part of a token before its second dot. */
export type Signer = (content: Buffer) => Buffer;

/** Signers that follow RFC 7518 and do not use the library by which the service verifies tokens. */
export const SIGNERS = {
  rs256:
    (key: KeyObject): Signer =>
    (content) =>
      sign('sha256', content, key),
  es256:
    (key: KeyObject): Signer =>
    (content) =>
      sign('sha256', content, { key, dsaEncoding: 'ieee-p1363' }),
  ed25519:
    (key: KeyObject): Signer =>
    (content) =>
      sign(null, content, key),
  hs256:
    (key: string | Buffer): Signer =>
    (content) =>
      createHmac('sha256', key).update(content).digest(),
  none: (): Signer => () => Buffer.alloc(0),
} as const;

/** Returns a token in the compact form (RFC 7515 §7.1). */
export function token(header: TokenPart, claims: TokenPart, signer: Signer): string {
  const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${content}.${signer(Buffer.from(content)).toString('base64url')}`;
}
