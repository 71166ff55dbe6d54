import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import { jwtVerify } from 'jose';
import { JWT_ALGORITHMS, type JwtAlgorithm } from '#contract';
import { signJwt, timeClaims } from '../../../../../core/auth-modes/building-blocks/signed-jwt/sign-jwt.ts';
import { readSigningKey } from '../../../../../core/auth-modes/building-blocks/signed-jwt/signing-key.ts';
import { hexSecret, PAIR_OF, PAIRS, pemOf } from '../../../../support/signing-keys.ts';

const NOW = new Date('2026-03-01T12:00:00.900Z');
const SECONDS = Date.parse('2026-03-01T12:00:00Z') / 1000;
const SECRET = hexSecret();

/** Returns the key with which the service signs, and the key with which another library verifies the signature. */
function keysOf(algorithm: JwtAlgorithm) {
  const pair = PAIR_OF[algorithm];
  if (pair === undefined)
    return {
      signing: readSigningKey(SECRET, { algorithm, encoding: 'hex' }),
      verifying: createSecretKey(Buffer.from(SECRET, 'hex')),
    };
  return { signing: readSigningKey(pemOf(PAIRS[pair]), { algorithm }), verifying: PAIRS[pair].publicKey };
}

describe('a signed JWT', () => {
  for (const algorithm of JWT_ALGORITHMS) {
    it(`of ${algorithm} is verified by another library, and has exactly these members`, async () => {
      const { signing, verifying } = keysOf(algorithm);
      const claims = {
        iss: 'issuer',
        aud: ['a', 'b'],
        scope: ['GET /v1/apps'],
        nested: { is: true },
        ...timeClaims(NOW, 600_000),
      };
      const token = await signJwt({ header: { kid: 'key-1' }, claims }, signing);
      const { payload, protectedHeader } = await jwtVerify(token, verifying, { currentDate: NOW, algorithms: [algorithm] });
      expect(protectedHeader).to.deep.equal({ alg: algorithm, typ: 'JWT', kid: 'key-1' });
      expect(payload).to.deep.equal({
        iss: 'issuer',
        aud: ['a', 'b'],
        scope: ['GET /v1/apps'],
        nested: { is: true },
        iat: SECONDS - 60,
        exp: SECONDS + 540,
      });
    });
  }

  it('has the algorithm of its key, whatever the header says', async () => {
    const { signing, verifying } = keysOf('ES256');
    const token = await signJwt({ header: { alg: 'none', typ: 'custom+jwt' }, claims: timeClaims(NOW, 60_000) }, signing);
    const { protectedHeader } = await jwtVerify(token, verifying, { currentDate: NOW });
    expect(protectedHeader).to.deep.equal({ alg: 'ES256', typ: 'custom+jwt' });
  });

  it('has only the time claims that the caller passes', async () => {
    for (const algorithm of ['RS256', 'EdDSA'] as const) {
      const { signing, verifying } = keysOf(algorithm);
      const { payload } = await jwtVerify(await signJwt({ claims: { iss: 'issuer' } }, signing), verifying);
      expect(payload).to.deep.equal({ iss: 'issuer' });
    }
  });

  it('is dated back by a minute, or by a tenth of a short lifetime, and expires one lifetime later', () => {
    expect(timeClaims(NOW, 3_600_000)).to.deep.equal({ iat: SECONDS - 60, exp: SECONDS + 3_540 });
    expect(timeClaims(NOW, 300_500)).to.deep.equal({ iat: SECONDS - 30, exp: SECONDS + 270 });
    expect(timeClaims(NOW, 5_000)).to.deep.equal({ iat: SECONDS, exp: SECONDS + 5 });
  });
});
