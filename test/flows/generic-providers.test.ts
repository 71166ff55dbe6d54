import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { canary } from '../support/canaries.ts';
import { createSession, mustBe, throughProxy } from '../support/connect.ts';
import { serve } from '../support/loopback-server.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

interface Seen {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly key: string | string[] | undefined;
  readonly body: string;
}

describe('the generic providers', function () {
  const seen: Seen[] = [];
  const token = canary('generic token');
  const api = use(this, () =>
    serve(async (request, response) => {
      const { url = '', headers } = request;
      const { authorization, 'x-api-key': key } = headers;
      seen.push({ url, authorization, key, body: await text(request) });
      response.setHeader('content-type', 'application/json');
      response.end(url === '/token' ? JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600 }) : '{}');
    }),
  );
  const app = use(this, startTenant);
  beforeEach(() => {
    seen.splice(0);
  });

  /** Creates an integration and connects through the endpoint for its form. @returns the connection's ID */
  async function connect(provider: string, path: string, parts: { config?: object; credentials?: object; body: object }) {
    const { config = {}, credentials, body } = parts;
    const integration_config = { api_base_url: `${api.url}/v1`, ...config };
    const integration = { unique_key: provider, provider, integration_config, ...(credentials && { credentials }) };
    mustBe(200, await app.api.post('/integrations', integration));
    const session = await createSession(app, { allowed_integrations: [provider] });
    const response = await app.client().post(`${path}/${provider}?connect_session_token=${session}`, body);
    mustBe(200, response);
    return { connectionId: response.body.connectionId, key: provider };
  }

  it('send an API key where the integration says', async () => {
    const apiKey = canary('generic API key');
    const connected = await connect('generic-api-key', '/api-auth/api-key', {
      config: { key_name: 'X-Api-Key' },
      body: { apiKey },
    });
    expect((await throughProxy(app, connected, { path: '/things' })).status).to.equal(200);
    expect(seen.at(-1)).to.include({ url: '/v1/things', key: apiKey, authorization: undefined });
  });

  it('send user name and password', async () => {
    const password = canary('generic password');
    const connected = await connect('generic-basic', '/api-auth/basic', { body: { username: 'ada', password } });
    expect((await throughProxy(app, connected, { path: '/things' })).status).to.equal(200);
    expect(seen.at(-1)?.authorization).to.equal(`Basic ${Buffer.from(`ada:${password}`).toString('base64')}`);
  });

  it('fetch a token with the client of a user, and send only the parameters that are set', async () => {
    const config = { token_url: `${api.url}/token`, token_request_auth_method: 'basic', audience: 'https://api.example.com' };
    const body = { client_id: 'own-client', client_secret: canary('generic client secret') };
    const credentials = { type: 'OAUTH2_CC', scopes: 'read,write' };
    const connected = await connect('generic-client-credentials', '/oauth2/auth', { config, credentials, body });
    const parameters = Object.fromEntries(new URLSearchParams(seen[0]?.body));
    expect(parameters).to.deep.equal({
      grant_type: 'client_credentials',
      scope: 'read write',
      audience: 'https://api.example.com',
    });
    expect(seen[0]?.authorization).to.match(/^Basic /);
    expect((await throughProxy(app, connected, { path: '/things' })).status).to.equal(200);
    expect(seen.at(-1)?.authorization).to.equal(`Bearer ${token}`);
  });

  it('call no internal address and no plain http', async () => {
    for (const api_base_url of ['http://api.example.com', 'https://user@api.example.com', 'file:///etc/passwd']) {
      const body = { unique_key: 'inner', provider: 'generic-basic', integration_config: { api_base_url } };
      expect((await app.api.post('/integrations', body)).status, api_base_url).to.equal(400);
    }
  });
});
