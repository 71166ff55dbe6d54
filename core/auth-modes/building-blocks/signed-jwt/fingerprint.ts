import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { tidyPem } from './key-text.ts';
import type { SigningKey } from './signing-key.ts';
import { SigningKeyError } from './signing-key-error.ts';

/**
 * Returns the fingerprint of a public key: `SHA256:` and the base64 digest of its SPKI (RFC 5280 §4.1.2.7); undefined for a
 * secret.
 */
export function publicKeyFingerprint({ key }: SigningKey): string | undefined {
  if (key.type === 'secret') return undefined;
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return `SHA256:${createHash('sha256').update(spki).digest('base64')}`;
}

/**
 * Returns the value of the header `x5t#S256` (RFC 7515 §4.1.8), which identifies the certificate of the signing key.
 *
 * @param pem the certificate, or a chain that begins with it
 * @throws SigningKeyError if it is not the certificate of this key
 */
export function certificateThumbprint(pem: string, { key }: SigningKey): string {
  const certificate = readCertificate(tidyPem(pem, /^CERTIFICATE$/));
  if (certificate === undefined) throw new SigningKeyError('its certificate cannot be read');
  if (key.type === 'secret' || !isCertificateOf(certificate, key))
    throw new SigningKeyError('its certificate belongs to another key');
  return createHash('sha256').update(certificate.raw).digest('base64url');
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Returns whether the certificate belongs to the key. Node throws for a key of another type. */
function isCertificateOf(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.checkPrivateKey(key);
  } catch {
    return false;
  }
}
