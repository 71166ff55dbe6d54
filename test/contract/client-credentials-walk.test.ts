import { expect } from 'chai';
import { decodeProtectedHeader, importX509, jwtVerify } from 'jose';
import { fillProviderUrl } from '../../core/auth-modes/building-blocks/provider-template.ts';
import { type Provider, readCatalogue } from '../../core/catalogue/catalogue.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { rsaCertificate } from '../support/client-certificates.ts';
import { createSession, mustBe, throughProxy } from '../support/connect.ts';
import { serve } from '../support/loopback-server.ts';
import { TestNet } from '../support/test-net.ts';
import { use } from '../support/use.ts';
import { DIRS, exampleSource } from './catalogue-cases.ts';
import { WALKS } from './walks.ts';

const CLIENT_ID = 'walked-client';
const clientSecret = canary('walked client secret');
const token = canary('walked token of a client');

interface Seen {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly params: Readonly<Record<string, string>>;
}

const catalogue = await readCatalogue(DIRS);
const providers = catalogue.list().filter(({ definition }) => WALKS.clientCredentials(definition));

describe('a provider with client credentials, walked through', function () {
  this.timeout(30_000);
  const seen: Seen[] = [];
  const net = new TestNet();
  const upstream = use(this, () =>
    serve(async (request, response) => {
      const { host, authorization } = request.headers;
      const body = Buffer.concat(await request.toArray()).toString();
      seen.push({ url: `https://${host}${request.url}`, authorization, params: Object.fromEntries(new URLSearchParams(body)) });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600, ...extrasOf(host) }));
    }),
  );
  const app = use(this, () => startApp({ net, env: { SVC_OUTBOUND_ALLOW: '' } }));
  let extrasOf: (host: string | undefined) => object = () => ({});
  beforeEach(() => {
    seen.splice(0);
    net.dials.splice(0);
  });

  for (const provider of providers) {
    it(`authenticates the user’s app as its definition says, and calls with its token: ${provider.slug}`, async () => {
      const { definition, connectionConfig } = exampleSource(provider);
      const found = (definition.token_response_metadata ?? []).map((name) => [
        name,
        definition.connection_config?.[name]?.example,
      ]);
      extrasOf = () => Object.fromEntries(found);
      const source = { ...exampleSource(provider), connectionConfig: { ...connectionConfig, ...Object.fromEntries(found) } };
      const [tokenUrl, api] = [definition.token_url, definition.proxy?.base_url].map((url) => fillProviderUrl(url ?? '', source));
      for (const url of [tokenUrl, api]) net.add(url?.hostname ?? '', upstream.url);
      const connectionId = await connect(provider);
      const [asked, ...others] = seen.splice(0).filter(({ url }) => url === tokenUrl?.href);
      expect(others).to.deep.equal([]);
      await expectProof(provider, asked, tokenUrl?.href ?? '');

      expect((await throughProxy(app, { connectionId, key: provider.slug }, { path: '/things' })).status).to.equal(200);
      const call = seen.at(-1);
      expect(call).to.include({ url: `${api?.href.replace(/\/$/, '')}/things`, authorization: `Bearer ${token}` });
      const needsCertificate = definition.credentials?.['client_certificate'] !== undefined;
      const presented = net.dials.map(({ certificate }) => certificate?.certificate);
      expect(new Set(presented)).to.deep.equal(new Set([needsCertificate ? rsaCertificate.certificate : undefined]));
    });
  }

  it('dials nobody else', () => expect(net.strangers()).to.deep.equal([]));

  async function connect(provider: Provider): Promise<string> {
    const { slug: key, definition } = provider;
    const { connectionConfig: config, integrationConfig } = exampleSource(provider);
    const settings = definition.integration_config === undefined ? {} : { integration_config: integrationConfig };
    mustBe(200, await app.api.post('/integrations', { unique_key: key, provider: key, ...settings }));
    const session = await createSession(app, {
      allowed_integrations: [key],
      integrations_config_defaults: { [key]: { connection_config: config } },
    });
    const { client_certificate, client_private_key } = definition.credentials ?? {};
    const body = {
      client_id: CLIENT_ID,
      ...(definition.credentials?.['client_secret']?.hidden !== true && { client_secret: clientSecret }),
      ...(client_certificate && { client_certificate: rsaCertificate.certificate }),
      ...(client_private_key && { client_private_key: rsaCertificate.privateKey }),
    };
    const response = await app.client().post(`/oauth2/auth/${key}?connect_session_token=${session}`, body);
    mustBe(200, response);
    return response.body.connectionId;
  }
});

async function expectProof({ definition }: Provider, asked: Seen | undefined, tokenUrl: string): Promise<void> {
  const { params = {}, authorization } = asked ?? {};
  expect(params).to.include({ grant_type: 'client_credentials' });
  switch (definition.token_request_auth_method) {
    case 'private_key_jwt': {
      expect(params).to.not.have.property('client_secret');
      const key = await importX509(rsaCertificate.certificate, 'RS256');
      const assertion = params['client_assertion'] ?? '';
      const { payload } = await jwtVerify(assertion, key, { issuer: CLIENT_ID, subject: CLIENT_ID, audience: tokenUrl });
      expect(payload.exp).to.be.above(Date.now() / 1000);
      expect(decodeProtectedHeader(assertion)).to.include({ alg: definition.client_assertion?.algorithm ?? 'RS256' });
      return;
    }
    case 'basic':
      expect(authorization).to.equal(`Basic ${Buffer.from(`${CLIENT_ID}:${clientSecret}`).toString('base64')}`);
      return;
    default:
      expect(params).to.include({ client_id: CLIENT_ID, client_secret: clientSecret });
  }
}
