import { createHash, X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { canary } from '../../support/canaries.ts';
import { rsaCertificate } from '../../support/client-certificates.ts';
import { hostOfUser, TOKEN, tokenRow } from '../../support/deviating-tokens.ts';
import type { Deviation, SeenRequest } from '../../support/deviation.ts';
import { PAIRS, pemOf } from '../../support/signing-keys.ts';

const BEARER = { authorization: `Bearer ${TOKEN}` };
const PRIVATE_KEY = pemOf(PAIRS.rsa);
const { certificate: client_certificate, privateKey: client_private_key } = rsaCertificate;

function clientCredentials(name: string, more: object = {}): Readonly<Record<string, unknown>> {
  return { auth_mode: 'OAUTH2_CC', token_url: `https://${name}.example/token`, ...more };
}

/** The assertion of a token request. */
function assertionOf({ body }: SeenRequest): string {
  return new URLSearchParams(body).get('client_assertion') ?? '';
}

const rows: readonly Deviation[] = [
  // Okta: https://developer.okta.com/docs/guides/implement-oauth-for-okta-serviceapp/main/
  tokenRow({
    name: 'assertion-of-the-client',
    members: clientCredentials('assertion-of-the-client', {
      token_request_auth_method: 'private_key_jwt',
      client_assertion: { key_id: '${connectionConfig.key_id}' },
      connection_config: { key_id: { type: 'string', title: 'Key ID', optional: true } },
    }),
    app: {},
    enters: { client_id: 'own-client', client_private_key: PRIVATE_KEY },
    params: { key_id: 'key-1' },
    responds: (request) => {
      expect(decodeProtectedHeader(assertionOf(request))).to.deep.equal({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
      const { iss, sub, aud } = decodeJwt(assertionOf(request));
      expect({ iss, sub, aud }).to.deep.equal({
        iss: 'own-client',
        sub: 'own-client',
        aud: 'https://assertion-of-the-client.example/token',
      });
      return { body: { access_token: TOKEN, expires_in: 3_600 } };
    },
    carries: BEARER,
  }),
  // Microsoft: https://learn.microsoft.com/en-us/entra/identity-platform/certificate-credentials
  tokenRow({
    name: 'assertion-with-certificate',
    members: clientCredentials('assertion-with-certificate', {
      token_request_auth_method: 'private_key_jwt',
      client_assertion: { algorithm: 'PS256' },
    }),
    app: {},
    enters: { client_id: 'own-client', client_private_key, client_certificate },
    responds: (request) => {
      const thumbprint = createHash('sha256').update(new X509Certificate(client_certificate).raw).digest('base64url');
      expect(decodeProtectedHeader(assertionOf(request))).to.deep.equal({ alg: 'PS256', typ: 'JWT', 'x5t#S256': thumbprint });
      return { body: { access_token: TOKEN, expires_in: 3_600 } };
    },
    carries: BEARER,
    hostile: hostOfUser('token_url', 'https://${connectionConfig.site}/token'),
  }),
  tokenRow({
    name: 'scopes-of-a-client',
    members: clientCredentials('scopes-of-a-client', { omit_params: { token: ['scope'] }, default_scopes: ['read'] }),
    app: {},
    enters: { client_id: 'own-client', client_secret: canary('secret of a user’s client') },
    responds: ({ body }) => {
      expect([...new URLSearchParams(body).keys()]).to.not.include('scope');
      return { body: { access_token: TOKEN } };
    },
    carries: BEARER,
  }),
  // Lever, Greenhouse and others take a key as the user name: https://hire.lever.co/developer/documentation#authentication
  {
    name: 'key-as-user-name',
    members: { auth_mode: 'BASIC' },
    works: async (scene) => {
      await scene.integrate();
      const { body } = await scene.connect({ type: 'BASIC', username: 'key-1', password: '' });
      const { headers } = await scene.call(body.connection_id, '/things');
      expect(headers['authorization']).to.equal(`Basic ${Buffer.from('key-1:').toString('base64')}`);
    },
    hostile: {
      title: 'reads no user name as a template',
      attack: async (scene) => {
        const { body } = await scene.connect({ type: 'BASIC', username: '${password}', password: 'secret-1' });
        const { headers } = await scene.call(body.connection_id, '/things');
        expect(headers['authorization']).to.equal(`Basic ${Buffer.from('${password}:secret-1').toString('base64')}`);
      },
    },
  },
];

export default rows;
