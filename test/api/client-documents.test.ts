import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { updateEnvironment } from '../../core/tenants/environments/environment-store.ts';
import { mustBe } from '../support/connect.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

describe('the document of a client (client ID metadata document)', function () {
  const app = use(this, startTenant);
  let environment = '';
  const read = (key: string, uuid = environment) => app.client().get(`/oauth/client-metadata/${uuid}/${encodeURIComponent(key)}`);

  before(async () => {
    environment = (await app.database.db('environments').where({ id: app.environmentId }).first('uuid')).uuid;
    mustBe(200, await app.api.post('/integrations', { unique_key: 'a server', provider: 'generic-mcp' }));
    mustBe(200, await app.api.post('/integrations', { unique_key: 'basic', provider: 'unauthenticated' }));
  });

  it('states its own URL and its redirect URIs', async () => {
    const { status, headers, body } = await read('a server');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      client_id: `${app.url}/oauth/client-metadata/${environment}/a%20server`,
      client_name: new URL(app.url).host,
      application_type: 'native',
      redirect_uris: [`${app.url}/oauth/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(headers.get('cache-control')).to.equal('public, max-age=300');
    expect(headers.get('content-type')).to.match(/^application\/json/);
  });

  it('follows the callback URL of its environment', async () => {
    await updateEnvironment(app.database.db, app.environmentId, { callback_url: 'https://app.example.com/callback' });
    const { body } = await read('a server');
    expect([body.client_name, body.redirect_uris]).to.deep.equal(['app.example.com', ['https://app.example.com/callback']]);
    expect(body.application_type).to.equal('web');
    await updateEnvironment(app.database.db, app.environmentId, { callback_url: null });
  });

  it('stays at its URL when the integration is renamed, because tokens are bound to it', async () => {
    mustBe(200, await app.api.post('/integrations', { unique_key: 'before', provider: 'generic-mcp' }));
    mustBe(200, await app.api.patch('/integrations/before', { unique_key: 'after' }));
    const { body } = await read('before');
    expect(body.client_id).to.equal(`${app.url}/oauth/client-metadata/${environment}/before`);
  });

  it('does not exist for other integrations, with the same response for each', async () => {
    const unknown = await read('unknown');
    expect([unknown.status, unknown.body.error.code]).to.deep.equal([404, 'not_found']);
    for (const response of [await read('basic'), await read('a server', randomUUID()), await read('a server', 'no-uuid')])
      expect(response.body).to.deep.equal(unknown.body);
  });
});
