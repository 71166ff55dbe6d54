import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { createSession } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import { CONFIG } from '../support/integration-bodies.ts';
import { expectError } from '../support/std-error.ts';
import { changeIntegrations, clientWith, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const body = (unique_key: string, more: object = {}) => ({
  unique_key,
  provider: 'generic-oauth',
  integration_config: CONFIG,
  ...more,
});

const FIELD = { type: 'string', title: 'Field' };
/** A provider definition like `generic-oauth`, but with a secret among the fields of the integration. */
const MASKED = {
  display_name: 'Masked',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.authorization_url}',
  token_url: '${integrationConfig.token_url}',
  integration_config: {
    authorization_url: { ...FIELD, format: 'uri' },
    token_url: { ...FIELD, format: 'uri' },
    api_base_url: { ...FIELD, format: 'uri' },
    api_token: { ...FIELD, secret: true },
  },
};

describe('integrations', function () {
  const folders = use(this, () => makeFolders({ 'masked/provider.json': JSON.stringify(MASKED) }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  describe('created', () => {
    it('with every member, are returned with every member', async () => {
      const response = await app.api.post(
        '/integrations',
        body('every-member', {
          display_name: 'Our CRM',
          forward_webhooks: false,
          credentials: { type: 'OAUTH2', client_id: 'id', client_secret: canary('client secret'), scopes: 'a,b' },
        }),
      );
      expect(response.status).to.equal(200);
      const { created_at, updated_at, ...rest } = response.body.data;
      expect(rest).to.deep.equal({
        unique_key: 'every-member',
        display_name: 'Our CRM',
        provider: 'generic-oauth',
        logo: `${app.url}/logos/generic-oauth.svg`,
        forward_webhooks: false,
      });
      expect(created_at).to.match(ISO_8601).and.to.equal(updated_at);
    });

    it('with the least, get the display name of the provider and forward webhooks', async () => {
      const { body: response } = await app.api.post('/integrations', { unique_key: 'least', provider: 'github' });
      expect(response.data).to.include({ display_name: 'GitHub', forward_webhooks: true });
    });

    it('are found under a key of every allowed character', async () => {
      const key = 'aZ09~:.@ _-';
      expect((await app.api.post('/integrations', body(key))).body.data.unique_key).to.equal(key);
      expect((await app.api.get(`/integrations/${encodeURIComponent(key)}`)).body.data.unique_key).to.equal(key);
    });

    it('do not exist when they were refused', async () => {
      expectError(await app.api.post('/integrations', body('faulty', { provider: 'nobody' })), 'invalid_body', ['provider']);
      expectError(await app.api.get('/integrations/faulty'), 'unknown_provider_config');
    });

    it('need a key that is free', async () => {
      await storeIntegration(app.api, 'taken');
      expectError(await app.api.post('/integrations', body('taken', { provider: 'github', integration_config: {} })), 'conflict');
      expect((await app.api.get('/integrations/taken')).body.data.provider).to.equal('generic-oauth');
    });

    it('at the same time with one key, are one', async () => {
      const responses = await Promise.all(Array.from({ length: 6 }, () => app.api.post('/integrations', body('raced'))));
      expect(responses.filter(({ status }) => status === 200)).to.have.length(1);
      expect(responses.filter(({ status }) => status === 409)).to.have.length(5);
    });

    it('without credentials, cannot begin an authorization', async () => {
      await app.api.post('/integrations', body('bare', { credentials: { webhook_secret: canary('webhook secret') } }));
      const token = await createSession(app, { allowed_integrations: ['bare'] });
      const response = await app.client().get(`/oauth/connect/bare?connect_session_token=${token}`);
      expectError(response, 'missing_client_id');
    });
  });

  describe('read', () => {
    const secrets = { client_secret: canary('client secret'), webhook_secret: canary('webhook secret') };

    before(async () => {
      const credentials = { client_id: 'id', ...secrets, scopes: 'read,write' };
      await app.api.post('/integrations', body('read me', { credentials }));
    });

    const read = async (query: string, api = app.api) => (await api.get(`/integrations/read%20me${query}`)).body.data;

    it('show nothing more unless requested', async () => {
      expect(await read('')).not.to.have.any.keys('credentials', 'webhook_url');
    });

    it('show the webhook URL of their environment', async () => {
      const { uuid } = await app.database.db('environments').first('uuid');
      expect(await read('?include=webhook')).to.include({
        webhook_url: `${app.url}/webhook/${uuid}/read%20me`,
        callback_url: `${app.url}/oauth/callback`,
      });
    });

    const all = { type: 'OAUTH2', client_id: 'id', ...secrets, scopes: 'read,write' };
    it('show their credentials', async () => {
      expect((await read('?include=credentials')).credentials).to.deep.equal(all);
    });

    it('show both', async () => {
      expect(await read('?include=credentials&include=webhook')).to.include.keys('credentials', 'webhook_url');
      expect(await read('?include=webhook&include=webhook')).to.include.keys('webhook_url');
    });

    it('show no credentials to a key that may not read them', async () => {
      const api = await clientWith(app, 'environment:integrations:read');
      const record = await read('?include=credentials&include=webhook', api);
      expect(record).to.include.keys('webhook_url').and.not.to.have.any.keys('credentials');
    });

    describe('with include=config', () => {
      const apiToken = canary('secret setting');
      const integration_config = { ...CONFIG, api_token: apiToken };

      before(async () => {
        const { body, text } = await app.api.post('/integrations', {
          unique_key: 'configured',
          provider: 'masked',
          integration_config,
        });
        expect(body.data, text).to.include({ unique_key: 'configured' });
      });

      const configOf = async (api = app.api) => (await api.get('/integrations/configured?include=config')).body.data;

      it('show their configuration', async () => {
        expect((await configOf()).integration_config).to.deep.equal(integration_config);
        expect((await app.api.get('/integrations/configured')).body.data).not.to.have.property('integration_config');
      });

      it('mask secret fields for a key that may not read them', async () => {
        const api = await clientWith(app, 'environment:integrations:read');
        const record = await configOf(api);
        expect(record.integration_config).to.deep.equal({ ...CONFIG, api_token: '***' });
        expect(JSON.stringify(record)).not.to.contain(apiToken);
      });
    });

    it('are still there when their provider is not', async () => {
      await storeIntegration(app.api, 'orphan');
      await changeIntegrations(app, { provider: 'gone' }, 'orphan');
      expect((await app.api.get('/integrations/orphan')).body.data.provider).to.equal('gone');
      expectError(await app.api.get('/integrations/orphan?include=credentials'), 'not_found');
      await app.database.db('integrations').where({ unique_key: 'orphan' }).delete();
    });

    for (const query of ['?include=everything', '?include=', '?includes=webhook', '?include[x]=webhook']) {
      it(`refuse ${query}`, async () => {
        expectError(await app.api.get(`/integrations/read%20me${query}`), 'invalid_query_params');
      });
    }

    it('are reported as unknown when they do not exist', async () => {
      expectError(await app.api.get('/integrations/nobody'), 'unknown_provider_config');
    });
  });

  describe('listed', () => {
    it('are all present even if the app of one cannot be decrypted, since no app is shown', async () => {
      await storeIntegration(app.api, 'damaged');
      const ofThat = () => app.database.db('integrations').where({ unique_key: 'damaged' });
      await ofThat().update({ client: 'damaged' });
      const asSession = app.client(await createSession(app));
      for (const client of [app.api, asSession]) {
        const { status, body: response } = await client.get('/integrations');
        expect(status).to.equal(200);
        expect(response.data.map(({ unique_key }: { unique_key: string }) => unique_key)).to.include('damaged');
        expect((await client.get('/providers')).status).to.equal(200);
      }
      await ofThat().delete();
    });

    it('are all present, without credentials', async () => {
      const { body: response, text } = await app.api.get('/integrations');
      const keys = response.data.map(({ unique_key }: { unique_key: string }) => unique_key);
      expect(keys).to.include.members(['every-member', 'least', 'read me']);
      expect(text).not.to.match(/secret|client_id|scopes/);
    });

    it('are, for a session, those it allows', async () => {
      const token = await createSession(app, { allowed_integrations: ['least'] });
      const { body: response } = await app.client(token).get('/integrations');
      expect(response.data.map(({ unique_key }: { unique_key: string }) => unique_key)).to.deep.equal(['least']);
    });

    it('are in the order of their providers, and then of their age', async () => {
      await app.api.post('/integrations', { unique_key: 'a-late-one', provider: 'github' });
      const { body: response } = await app.api.get('/integrations');
      const places = response.data.map(({ provider, created_at }: { provider: string; created_at: string }) => [
        provider,
        created_at,
      ]);
      expect(places).to.deep.equal(places.toSorted());
      const ofGithub = response.data.filter(({ provider }: { provider: string }) => provider === 'github');
      expect(ofGithub.map(({ unique_key }: { unique_key: string }) => unique_key)).to.deep.equal(['least', 'a-late-one']);
    });

    it('take no query', async () => {
      expectError(await app.api.get('/integrations?include=credentials'), 'invalid_query_params', ['include']);
    });

    it('are all, for a session that allows any', async () => {
      const token = await createSession(app);
      const [forSession, forKey] = await Promise.all([app.client(token).get('/integrations'), app.api.get('/integrations')]);
      expect(forSession.body).to.deep.equal(forKey.body);
    });
  });
});
