import { createHash, X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { canary } from '../../support/canaries.ts';
import { ecCertificate, rsaCertificate } from '../../support/client-certificates.ts';
import { expectRefused, hostOfUser, TOKEN, type TokenRow, tokenRow } from '../../support/deviating-tokens.ts';
import type { Deviation, MadeUpResponse, SeenRequest } from '../../support/deviation.ts';
import { PAIRS, pemOf } from '../../support/signing-keys.ts';

const BEARER = { authorization: `Bearer ${TOKEN}` };
const PRIVATE_KEY = pemOf(PAIRS.rsa);
const { certificate: client_certificate, privateKey: client_private_key } = rsaCertificate;

function clientCredentials(name: string, more: object = {}): Readonly<Record<string, unknown>> {
  return { auth_mode: 'OAUTH2_CC', token_url: `https://${name}.example/token`, ...more };
}

function assertionOf({ body }: SeenRequest): string {
  return new URLSearchParams(body).get('client_assertion') ?? '';
}

const APP_SECRET = canary('secret of an app with a certificate');
const CERTIFIED = { type: 'string', title: 'PEM', hidden: false };

/** Returns a responder that refuses requests without the app's client certificate. */
function forCertificate(body: object): (request: SeenRequest) => MadeUpResponse {
  return ({ certificate }) =>
    certificate === client_certificate ? { body } : { status: 401, body: { error: 'invalid_client' } };
}

/** ADP: https://developers.adp.com/articles/guides/auth-process-data-connector-apps */
const certified: TokenRow = {
  name: 'certificate-beside-a-secret',
  members: clientCredentials('certificate-beside-a-secret', {
    credentials: { client_certificate: CERTIFIED, client_private_key: { ...CERTIFIED, secret: true } },
  }),
  app: {},
  enters: { client_id: 'own-client', client_secret: APP_SECRET, client_certificate, client_private_key },
  responds: forCertificate({ access_token: TOKEN }),
  serves: forCertificate({}),
  asks: [{ params: { grant_type: 'client_credentials', client_id: 'own-client', client_secret: APP_SECRET } }],
  carries: BEARER,
};

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
  tokenRow(certified),
  // The certificate authenticates the client (RFC 8705 §2).
  tokenRow({
    ...certified,
    name: 'certificate-as-the-proof',
    members: clientCredentials('certificate-as-the-proof', { token_request_auth_method: 'tls_client_auth' }),
    enters: { client_id: 'own-client', client_certificate, client_private_key },
    asks: [{ params: { grant_type: 'client_credentials', client_id: 'own-client' } }],
    hostile: {
      title: 'connects no app without its certificate, or with that of another',
      attack: async (scene) => {
        const stranger = { client_certificate: ecCertificate.certificate, client_private_key: ecCertificate.privateKey };
        const withProof = (proof: object) => ({ ...certified, enters: { client_id: 'own-client', ...proof } });
        for (const proof of [{ client_secret: APP_SECRET }, { client_private_key }, stranger])
          await expectRefused(scene, withProof(proof));
        const mismatched = { client_certificate, client_private_key: ecCertificate.privateKey };
        expect(await expectRefused(scene, withProof(mismatched))).to.deep.equal([]);
      },
    },
  }),
  // The access tokens of users may be bound to the certificate of the integration's app, too (RFC 8705 §3).
  tokenRow({
    name: 'certificate-of-an-app',
    members: {
      auth_mode: 'OAUTH2',
      authorization_url: 'https://certificate-of-an-app.example/authorize',
      token_url: 'https://certificate-of-an-app.example/token',
      token_request_auth_method: 'tls_client_auth',
      integration_config: { client_certificate: { type: 'string', title: 'Certificate (PEM)' } },
    },
    app: {
      credentials: { client_id: 'own-client', private_key: client_private_key },
      integration_config: { client_certificate },
    },
    responds: forCertificate({ access_token: TOKEN }),
    serves: forCertificate({}),
    carries: BEARER,
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
      title: 'does not expand templates in a user name',
      attack: async (scene) => {
        const { body } = await scene.connect({ type: 'BASIC', username: '${password}', password: 'secret-1' });
        const { headers } = await scene.call(body.connection_id, '/things');
        expect(headers['authorization']).to.equal(`Basic ${Buffer.from('${password}:secret-1').toString('base64')}`);
      },
    },
  },
];

export default rows;
