import { createSecretKey, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import jwt, { type Algorithm } from 'jsonwebtoken';
import { publicKeyFingerprint } from '../../../core/auth-modes/building-blocks/signed-jwt/fingerprint.ts';
import { readSigningKey } from '../../../core/auth-modes/building-blocks/signed-jwt/signing-key.ts';
import { hostOfUser, TOKEN, tokenRow } from '../../support/deviating-tokens.ts';
import type { Deviation, SeenRequest } from '../../support/deviation.ts';
import { hexSecret, PAIRS, pemOf } from '../../support/signing-keys.ts';

const RSA = pemOf(PAIRS.rsa);
const SECRET = hexSecret();
const KEY = { privateKey: { type: 'string', title: 'Key', secret: true } };
const TIMED = { expires_in_ms: 300_000 };

/** Returns the claims of the token in the header, except the times of issue and expiry. @throws if the signature is wrong */
function claims({ authorization }: SeenRequest['headers'], key: KeyObject, algorithm: Algorithm): unknown {
  const [, text = ''] = String(authorization).split(' ');
  const { iat, exp, ...others } = jwt.verify(text, key, { algorithms: [algorithm] }) as jwt.JwtPayload;
  expect((exp ?? 0) - (iat ?? 0)).to.equal(TIMED.expires_in_ms / 1000);
  return others;
}

const rows: readonly Deviation[] = [
  // Google: https://developers.google.com/identity/protocols/oauth2/service-account
  tokenRow({
    name: 'claim-left-out',
    members: {
      auth_mode: 'JWT',
      token_url: 'https://claim-left-out.example/token',
      credentials: KEY,
      connection_config: { subject: { type: 'string', title: 'Subject', optional: true } },
      assertion: {
        ...TIMED,
        signing_key: '${credentials.privateKey}',
        header: { alg: 'RS256' },
        payload: { aud: 'https://claim-left-out.example/token', sub: { omit_if_empty: '${connectionConfig.subject}' } },
      },
    },
    app: {},
    enters: { privateKey: RSA },
    responds: ({ body }) => {
      const assertion = new URLSearchParams(body).get('assertion') ?? '';
      expect(claims({ authorization: `Bearer ${assertion}` }, PAIRS.rsa.publicKey, 'RS256')).to.deep.equal({
        aud: 'https://claim-left-out.example/token',
      });
      return { body: { access_token: TOKEN, expires_in: 3_600 } };
    },
    carries: { authorization: `Bearer ${TOKEN}` },
  }),
  // App Store Connect: https://developer.apple.com/documentation/appstoreconnectapi/generating-tokens-for-api-requests
  tokenRow({
    name: 'claim-with-a-list',
    members: {
      auth_mode: 'JWT',
      credentials: KEY,
      connection_config: { scope: { type: 'string', title: 'Scope', optional: true } },
      token: {
        ...TIMED,
        signing_key: '${credentials.privateKey}',
        header: { alg: 'RS256' },
        payload: { scope: { omit_if_empty: [{ omit_if_empty: '${connectionConfig.scope}' }] }, depth: 2 },
      },
    },
    app: {},
    enters: { privateKey: RSA },
    params: { scope: 'GET /v1/apps' },
    carries: (headers) =>
      expect(claims(headers, PAIRS.rsa.publicKey, 'RS256')).to.deep.equal({ scope: ['GET /v1/apps'], depth: 2 }),
    hostile: {
      title: 'may not set its own times',
      members: {
        token: { ...TIMED, signing_key: '${credentials.privateKey}', header: { alg: 'RS256' }, payload: { exp: 9_999_999_999 } },
      },
      refusedFor: /exp must not be declared/,
    },
  }),
  // Ghost: https://docs.ghost.org/admin-api
  tokenRow({
    name: 'key-of-two-parts-in-hex',
    members: {
      auth_mode: 'JWT',
      credentials: KEY,
      token: {
        ...TIMED,
        signing_key: '${credentials.privateKey.secret}',
        signing_key_encoding: 'hex',
        header: { alg: 'HS256', kid: '${credentials.privateKey.id}' },
        payload: { aud: '/admin/' },
      },
      proxy: { base_url: 'https://key-of-two-parts-in-hex.example', headers: { authorization: 'Ghost ${accessToken}' } },
    },
    app: {},
    enters: { privateKey: `key-1:${SECRET}` },
    carries: (headers) => {
      expect(headers['authorization']).to.match(/^Ghost /);
      expect(claims(headers, createSecretKey(Buffer.from(SECRET, 'hex')), 'HS256')).to.deep.equal({ aud: '/admin/' });
    },
    hostile: hostOfUser('proxy', { base_url: 'https://${connectionConfig.site}' }),
  }),
  // Snowflake: https://docs.snowflake.com/en/user-guide/key-pair-auth
  tokenRow({
    name: 'fingerprint-of-the-key',
    members: {
      auth_mode: 'JWT',
      credentials: KEY,
      token: {
        ...TIMED,
        signing_key: '${credentials.privateKey}',
        header: { alg: 'RS256' },
        payload: { iss: 'ACME.${credentials.publicKeyFingerprint}' },
      },
    },
    app: {},
    enters: { privateKey: RSA },
    carries: (headers) => {
      const fingerprint = publicKeyFingerprint(readSigningKey(RSA, { algorithm: 'RS256' }));
      expect(claims(headers, PAIRS.rsa.publicKey, 'RS256')).to.deep.equal({ iss: `ACME.${fingerprint}` });
    },
    hostile: {
      title: 'signs nothing with the algorithm `none`',
      members: { token: { ...TIMED, signing_key: '${credentials.privateKey}', header: { alg: 'none' }, payload: {} } },
      refusedFor: /token\.header\.alg/,
    },
  }),
];

export default rows;
