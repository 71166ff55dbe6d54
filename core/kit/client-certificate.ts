import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';

/** A TLS client certificate with its chain, and its private key, both as PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/**
 * Returns whether certificate and key can be parsed and belong together. This is checked here because OpenSSL compares them only
 * if their types are the same.
 */
export function isUsableCertificate({ certificate, privateKey }: ClientCertificate): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey));
  } catch {
    return false;
  }
}

/** Returns an ID that is the same for equal pairs of certificate and key; it is not secret. */
export function certificateId({ certificate, privateKey }: ClientCertificate): string {
  return createHash('sha256').update(certificate).update('\0').update(privateKey).digest('base64url');
}
