import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import {
  certificateThumbprint,
  publicKeyFingerprint,
} from '../../../../../core/auth-modes/building-blocks/signed-jwt/fingerprint.ts';
import { readSigningKey } from '../../../../../core/auth-modes/building-blocks/signed-jwt/signing-key.ts';
import { SigningKeyError } from '../../../../../core/auth-modes/building-blocks/signed-jwt/signing-key-error.ts';
import { hexSecret, PAIRS, pemOf } from '../../../../support/signing-keys.ts';
import { tlsIdentity } from '../../../../support/tls-identity.ts';

const certified = readSigningKey(tlsIdentity.key, { algorithm: 'ES256' });
const rsa = readSigningKey(pemOf(PAIRS.rsa), { algorithm: 'RS256' });
const secret = readSigningKey(hexSecret(), { algorithm: 'HS256' });

/** Runs openssl, which providers' guides use to compute fingerprints. */
function openssl(input: string | Buffer, ...args: string[]): Buffer {
  return execFileSync('openssl', args, { input });
}

describe('the fingerprint of a public key', () => {
  it('is the one that openssl computes', () => {
    for (const { pem, key } of [
      { pem: pemOf(PAIRS.rsa), key: rsa },
      { pem: tlsIdentity.key, key: certified },
    ]) {
      const spki = openssl(pem, 'pkey', '-pubout', '-outform', 'DER');
      const digest = openssl(spki, 'dgst', '-sha256', '-binary').toString('base64');
      expect(publicKeyFingerprint(key)).to.equal(`SHA256:${digest}`);
    }
  });

  it('does not exist for a secret', () => expect(publicKeyFingerprint(secret)).to.equal(undefined));
});

describe('the thumbprint of a certificate', () => {
  it('is the one that openssl computes, also of a certificate in one line or before others', () => {
    const digits = openssl(tlsIdentity.cert, 'x509', '-noout', '-fingerprint', '-sha256').toString().split('=')[1] ?? '';
    const thumbprint = Buffer.from(digits.replace(/[:\s]/g, ''), 'hex').toString('base64url');
    for (const pem of [tlsIdentity.cert, tlsIdentity.cert.replaceAll('\n', ''), tlsIdentity.cert + tlsIdentity.cert])
      expect(certificateThumbprint(pem, certified)).to.equal(thumbprint);
  });

  for (const [what, pem, key, message] of [
    ['of another key', tlsIdentity.cert, rsa, 'its certificate belongs to another key'],
    ['with a secret', tlsIdentity.cert, secret, 'its certificate belongs to another key'],
    ['a private key', tlsIdentity.key, certified, 'it is a PEM of another kind, such as a public key'],
    ['no PEM', 'x', certified, 'it is not a PEM, which begins with "-----BEGIN"'],
    ['damaged', tlsIdentity.cert.split('\n').toSpliced(2, 3).join('\n'), certified, 'its certificate cannot be read'],
  ] as const) {
    it(`is refused: ${what}`, () => {
      expect(() => certificateThumbprint(pem, key)).to.throw(SigningKeyError, message);
    });
  }
});
