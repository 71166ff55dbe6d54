import { createSecretKey, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import jwt, { type Algorithm, type Jwt } from 'jsonwebtoken';
import { publicKeyFingerprint } from '../../core/auth-modes/building-blocks/signed-jwt/fingerprint.ts';
import { readSigningKey } from '../../core/auth-modes/building-blocks/signed-jwt/signing-key.ts';
import { canary } from '../support/canaries.ts';
import { hexSecret, PAIRS, pemOf } from '../support/signing-keys.ts';

interface Headers {
  readonly [name: string]: string | string[] | undefined;
}

const SECRET = hexSecret();
const RSA = pemOf(PAIRS.rsa);
const FINGERPRINT = publicKeyFingerprint(readSigningKey(RSA, { algorithm: 'RS256' }));
const token = canary('walked access token for an assertion');

/** For each provider of signed tokens, the entries of its form and the checks of a token that the provider documents. */
export const SIGNED_TOKEN_CASES = {
  'app-store-connect': {
    body: { privateKey: pemOf(PAIRS.p256), privateKeyId: '2X9R4HXF34', issuerId: '57246542-96fe-1a63-e053-0824d011072a' },
    isAuthenticated: (headers: Headers) => {
      const { header, payload } = verified(headers, { scheme: 'Bearer', algorithm: 'ES256', key: PAIRS.p256.publicKey });
      expect(header).to.deep.equal({ alg: 'ES256', typ: 'JWT', kid: '2X9R4HXF34' });
      const { iat, exp, ...claims } = payload;
      expect(claims).to.deep.equal({ iss: '57246542-96fe-1a63-e053-0824d011072a', aud: 'appstoreconnect-v1' });
      return exp - iat <= 20 * 60;
    },
  },
  'google-service-account': {
    body: { privateKey: RSA, issuerId: 'svc@my-project.iam.gserviceaccount.com' },
    tokenResponse: JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3_599 }),
    isAuthenticated: ({ authorization }: Headers) => authorization === `Bearer ${token}`,
  },
  'snowflake-jwt': {
    body: { privateKey: RSA },
    isAuthenticated: (headers: Headers) => {
      const { payload } = verified(headers, { scheme: 'Bearer', algorithm: 'RS256', key: PAIRS.rsa.publicKey });
      const subject = 'MYORG-MYACCOUNT.SVC_USER';
      expect(payload).to.deep.include({ iss: `${subject}.${FINGERPRINT}`, sub: subject });
      return headers['x-snowflake-authorization-token-type'] === 'KEYPAIR_JWT' && payload.exp - payload.iat <= 60 * 60;
    },
  },
  'ghost-admin': {
    body: { privateKey: `64f2f3e5a1b2c3d4e5f6a7b8:${SECRET}` },
    isAuthenticated: (headers: Headers) => {
      const key = createSecretKey(Buffer.from(SECRET, 'hex'));
      const { header, payload } = verified(headers, { scheme: 'Ghost', algorithm: 'HS256', key });
      expect(header).to.deep.equal({ alg: 'HS256', typ: 'JWT', kid: '64f2f3e5a1b2c3d4e5f6a7b8' });
      return payload['aud'] === '/admin/' && payload.exp - payload.iat <= 5 * 60;
    },
  },
};

interface Expected {
  readonly scheme: string;
  readonly algorithm: Algorithm;
  readonly key: KeyObject;
}

interface Verified extends Pick<Jwt, 'header'> {
  readonly payload: Readonly<Record<string, unknown>> & { readonly iat: number; readonly exp: number };
}

/** @throws if the signature is wrong or the token has expired */
function verified({ authorization }: Headers, { scheme, algorithm, key }: Expected): Verified {
  const [given, text = ''] = String(authorization).split(' ');
  expect(given).to.equal(scheme);
  const { header, payload } = jwt.verify(text, key, { algorithms: [algorithm], complete: true });
  if (typeof payload === 'string' || payload.iat === undefined || payload.exp === undefined) throw new Error('a time is missing');
  return { header, payload: { ...payload, iat: payload.iat, exp: payload.exp } };
}
