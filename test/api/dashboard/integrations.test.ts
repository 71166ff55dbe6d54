import { expect } from 'chai';
import { fingerprintOf } from '../../../core/connections/integrations/effective-client.ts';
import { insertIntegration } from '../../../core/connections/integrations/integration-store.ts';
import { startApp } from '../../support/app.ts';
import { canary } from '../../support/canaries.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { makeFolders } from '../../support/folders.ts';
import { storeMany } from '../../support/many-connections.ts';
import { expectError } from '../../support/std-error.ts';
import { storeConnection, storeIntegration } from '../../support/stored.ts';
import { use } from '../../support/use.ts';

const NONE = { healthy: 0, degraded: 0, needs_reauth: 0, pending: 0 };

describe('integrations as the dashboard shows them', function () {
  const folders = use(this, () =>
    makeFolders({
      'own-desk/provider.json': JSON.stringify({
        display_name: 'Own desk',
        docs: 'https://docs.example.com',
        auth_mode: 'API_KEY',
        proxy: { base_url: 'https://own.example' },
      }),
    }),
  );
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));
  let viewer: TestMember;
  const get = async (path: string) => (await viewer.ui.get(`/api/ui/e/dev/${path}`)).body;

  before(async () => {
    viewer = await signedInAs(app, 'viewer');
    const { db, keys } = app.services;
    for (let index = 0; index < 60; index += 1)
      await app.api.post('/integrations', {
        unique_key: `key-${index}`,
        provider: index % 2 === 0 ? 'sandbox-api-key' : 'sandbox-basic',
        display_name: `Integration ${String(59 - index).padStart(2, '0')}`,
      });
    await storeIntegration(app.api, 'acme');
    for (const state of ['healthy', 'needs_reauth', 'needs_reauth', 'degraded', 'healthy', 'deleted']) {
      const { connectionId } = await storeConnection(app, { key: 'acme' });
      const change = state === 'deleted' ? { deleted_at: new Date() } : { state };
      await db('connections').where({ connection_id: connectionId }).update(change);
    }
    const { id: integrationId } = await db('integrations').where({ unique_key: 'key-59' }).first('id');
    await storeMany(db, keys, { environmentId: 1, integrationId, count: 3 });
  });

  it('counts the connections of each by state, without those that are deleted', async () => {
    const { data } = await get('integrations-overview?search=ACM');
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({ unique_key: 'acme', auth_mode: 'OAUTH2', forward_webhooks: true });
    expect(data[0].connections).to.deep.equal({ healthy: 2, degraded: 1, needs_reauth: 2, pending: 0 });
  });

  it('lists them by name, page after page, each once', async () => {
    const first = await get('integrations-overview?search=Integration');
    const second = await get(`integrations-overview?search=Integration&cursor=${first.next_cursor}`);
    expect([first.data.length, second.data.length, second.next_cursor, first.total]).to.deep.equal([50, 10, null, 60]);
    const names = [...first.data, ...second.data].map(({ display_name }: { display_name: string }) => display_name);
    expect(names).to.deep.equal([...new Set(names)].sort());
    expect(first.data[0].connections).to.deep.equal({ ...NONE, healthy: 3 });
  });

  it('lists the latest changed first, even among those that changed within a millisecond', async () => {
    await app.services.db.raw(
      `update integrations set updated_at = timestamptz '2026-01-01' + id * interval '1 microsecond' where unique_key like 'key-%'`,
    );
    const first = await get('integrations-overview?search=Integration&sort=updated');
    const second = await get(`integrations-overview?search=Integration&sort=updated&cursor=${first.next_cursor}`);
    const found = [...first.data, ...second.data].map(({ unique_key: key }: { unique_key: string }) => key);
    expect(found).to.deep.equal(Array.from({ length: 60 }, (_, index) => `key-${59 - index}`));
  });

  it('says whether there is a webhook secret, even if another integration cannot be decrypted', async () => {
    const credentials = { webhook_secret: canary('webhook secret of a list') };
    await app.api.patch('/integrations/key-0', { credentials });
    await app.services
      .db('integrations')
      .where({ unique_key: 'key-1' })
      .update({ mac: Buffer.from('forged') });
    const { data } = await get('integrations-overview?search=Integration 5');
    const found = data.map((one: Record<string, unknown>) => [one['unique_key'], one['has_webhook_secret']]);
    expect(found).to.deep.include.members([
      ['key-0', true],
      ['key-1', null],
      ['key-2', false],
    ]);
    await app.services.db('integrations').where({ unique_key: 'key-1' }).delete();
  });

  it('filters by the authentication of their provider, and accepts no invalid cursor', async () => {
    const { total } = await get('integrations-overview?auth_mode=BASIC');
    expect(total).to.equal(29);
    expect((await get('integrations-overview?auth_mode=NONE')).data).to.deep.equal([]);
    const ofNames = [[1], ['name', 'a\0', 1], ['name', 'a', 1.5], ['updated', 1, 1]];
    const ofTimes = [
      ['updated', '1', 1],
      ['updated', -1, 1],
      ['updated', 1e30, 1],
      ['name', 'a', 1],
    ];
    const positions = [...ofNames.map((one) => ['name', one]), ...ofTimes.map((one) => ['updated', one])];
    for (const [sort, position] of positions) {
      const cursor = Buffer.from(JSON.stringify(position)).toString('base64url');
      const path = `/api/ui/e/dev/integrations-overview?sort=${sort}&cursor=${cursor}`;
      expectError(await viewer.ui.get(path), 'invalid_query_params');
    }
  });

  it('shows an app, but of its secrets only whether they are set', async () => {
    const { data } = await get('integrations/acme/status');
    const { secrets_set_at: times, ...client } = data.client;
    expect(times).to.have.all.keys('client_secret');
    expect({ ...data, client }).to.deep.equal({
      connections: { healthy: 2, degraded: 1, needs_reauth: 2, pending: 0 },
      connect_screen: { guide_url: null, position: null },
      provider_fault: null,
      is_shared_app: false,
      client: { client_id: 'client', scopes: '', has_client_secret: true, has_private_key: false, has_webhook_secret: false },
      webhook_address: { checked_at: null, verified_at: null },
      former_clients: [],
      on_current_client: 5,
    });
    expectError(await viewer.ui.get('/api/ui/e/dev/integrations/none/status'), 'unknown_provider_config');
  });

  it('says when each secret was set, and nothing about a secret that is not set', async () => {
    const set = (credentials: object) => app.api.patch('/integrations/dated', { credentials });
    const times = async () => (await get('integrations/dated/status')).data.client.secrets_set_at;
    await storeIntegration(app.api, 'dated');
    const { client_secret: first } = await times();
    await app.clock.advance(60_000);
    await set({ webhook_secret: canary('webhook secret with a time'), scopes: 'a' });
    const { webhook_secret: later, ...others } = await times();
    expect(others).to.deep.equal({ client_secret: first });
    expect(Date.parse(later) - Date.parse(first)).to.be.at.least(60_000);
    await set({ client_secret: canary('client secret with a time'), webhook_secret: '' });
    const { client_secret: last, ...none } = await times();
    expect(Date.parse(last)).to.be.at.least(Date.parse(later));
    expect(none).to.deep.equal({});
    await app.api.delete('/integrations/dated');
  });

  it('shows an integration whose provider is gone, so that it can be deleted', async () => {
    const of = { environmentId: 1, uniqueKey: 'orphan', provider: 'gone', displayName: 'Orphan', forwardWebhooks: true };
    await insertIntegration(app.services, { ...of, client: { scopes: [] }, integrationConfig: {} });
    const { data } = await get('integrations/orphan/status');
    expect(data).to.deep.include({ connections: NONE, is_shared_app: false, former_clients: [] });
    expect(data.client).to.have.property('has_client_secret');
    expect((await app.api.delete('/integrations/orphan')).status).to.equal(200);
  });

  it('says how many connections depend on a former client', async () => {
    await storeIntegration(app.api, 'moved');
    const clientFingerprint = fingerprintOf({ clientId: 'client' });
    for (let count = 0; count < 3; count += 1) await storeConnection(app, { key: 'moved', clientFingerprint });
    await app.api.patch('/integrations/moved', { credentials: { client_id: 'another', client_secret: 'x' } });
    const { data } = await get('integrations/moved/status');
    expect(data.client.client_id).to.equal('another');
    expect(data.former_clients).to.have.length(1);
    expect(data.former_clients[0]).to.include({ client_id: 'client', connections: 3 });
    expect(data.on_current_client).to.equal(0);
  });

  it('says what an integration of a provider needs, and how existing ones work', async () => {
    const { data } = await get('providers/generic-oauth/setup');
    expect(data).to.deep.include({ shared_app: null, integrations: 2 });
    expect(data.app).to.include.members(['client_id', 'client_secret', 'scopes']);
    expect(data.callback_url).to.equal(`${app.url}/oauth/callback`);
    expect(data.connections.healthy).to.equal(5);
    expect((await get('providers/generic-client-credentials/setup')).data.callback_url, 'it redirects nobody').to.equal(null);
    expectError(await viewer.ui.get('/api/ui/e/dev/providers/none/setup'), 'not_found');
  });

  const FACTS = {
    'generic-oauth': { app_need: 'required', has_secret_overlap: true, scopes_apply: 'next_sign_in', way: 'sign_in' },
    'generic-client-credentials': { app_need: 'none', has_secret_overlap: false, scopes_apply: 'next_token', way: 'form' },
    'sandbox-basic': { app_need: 'none', way: 'form', shared_app: null },
    'sandbox-oauth2': { app_need: 'required', way: 'sign_in', asked: [] },
  };
  for (const [slug, facts] of Object.entries(FACTS))
    it(`says what follows from the auth mode of ${slug}`, async () =>
      expect((await get(`providers/${slug}/setup`)).data).to.deep.include(facts));

  it('says what users enter, and with what webhooks are verified', async () => {
    const setup = async (slug: string) => (await get(`providers/${slug}/setup`)).data;
    const titles = (await setup('sandbox-basic')).asked.map(({ title }: { title: string }) => title);
    expect(titles).to.deep.equal(['User name', 'Password']);
    expect((await setup('generic-oauth')).webhook_keys).to.deep.equal(['none']);
    expect((await setup('shopify')).webhook_keys).to.deep.equal(['client_secret']);
    expect((await setup('gitlab')).webhook_keys).to.deep.equal(['webhook_secret']);
  });

  it('suggests a free ID for the next integration of a provider', async () => {
    const free = async () => (await get('providers/sandbox-basic/setup')).data.unique_key;
    expect(await free()).to.equal('sandbox-basic');
    for (const key of ['sandbox-basic', 'sandbox-basic-2'])
      await app.api.post('/integrations', { unique_key: key, provider: 'sandbox-basic' });
    expect(await free()).to.equal('sandbox-basic-3');
    for (const key of ['sandbox-basic', 'sandbox-basic-2']) await app.api.delete(`/integrations/${key}`);
  });

  const MATCHING = {
    'generic-oauth': ['svcConnectionId in the URL is the connection ID, proven by svcTag'],
    shopify: ['headers.x-shopify-shop-domain, without .myshopify.com, is subdomain of the connection configuration'],
    'cal-com': ['svcConnectionId in the URL is the connection ID', 'svcConnectionId in the body is the connection ID'],
  };
  for (const [slug, matching] of Object.entries(MATCHING))
    it(`says how webhooks of a provider are matched: ${slug}`, async () =>
      expect((await get(`providers/${slug}/setup`)).data.webhook_matching).to.deep.equal(matching));

  it('says what the environment has set up of the catalogue, and counts the providers by auth mode', async () => {
    const { data } = await get('catalogue');
    const integrations = (mode: string) => data.auth_modes.find(({ name }: { name: string }) => name === mode).integrations;
    expect([integrations('BASIC'), integrations('JWT')]).to.deep.equal([29, 0]);
    expect(data.own).to.deep.equal(['own-desk']);
    const all: { provider: string; unique_key: string }[] = (await get('integrations')).data;
    for (const { name, integrations: count, unique_key: key } of data.set_up) {
      const keys = all.filter(({ provider }) => provider === name).map((one) => one.unique_key);
      expect(keys).to.have.lengthOf(count).and.include(key);
    }
    expect(data.set_up).to.have.length.above(1);
  });

  it('finds the connections that lack a scope which was added since, a bounded number at a time', async () => {
    const key = await storeIntegration(app.api, 'drifting');
    const credentials = {
      type: 'OAUTH2',
      accessToken: canary('token of a scope'),
      raw: { scope: 'read write' },
      receivedAt: new Date().toISOString(),
    } as const;
    const tags = { end_user_display_name: 'Kelvin' };
    const { connectionId } = await storeConnection(app, { key, credentials, tags });
    await storeConnection(app, { key });
    const drift = () => get(`integrations/${key}/scope-drift`);
    const nothing = { data: [], compared: 0, unknown: 0, next_cursor: null };
    expect(await drift(), 'nothing is asked for').to.deep.equal(nothing);
    await app.api.patch(`/integrations/${key}`, { credentials: { scopes: 'read,write,admin' } });
    const data = [{ connection_id: connectionId, connection_name: 'Kelvin', missing: ['admin'] }];
    expect(await drift()).to.deep.equal({ data, compared: 2, unknown: 1, next_cursor: null });
    expect(await get('integrations/key-59/scope-drift'), 'it has none').to.deep.equal(nothing);
    const { db, keys } = app.services;
    const { id: integrationId } = await db('integrations').where({ unique_key: key }).first('id');
    const connectionConfig = { oauth_scopes_override: 'read' };
    const narrow = await storeConnection(app, { key, credentials, connectionConfig });
    expect((await drift()).data, 'a session has asked for less').to.deep.equal(data);
    await db('connections').where({ connection_id: narrow.connectionId }).delete();
    await storeMany(db, keys, { environmentId: 1, integrationId, count: 500 });
    const first = await drift();
    expect(first).to.deep.include({ data: [], compared: 500, unknown: 500 });
    const second = await get(`integrations/${key}/scope-drift?cursor=${first.next_cursor}`);
    expect(second).to.deep.equal({ data, compared: 2, unknown: 1, next_cursor: null });
    expectError(await viewer.ui.get('/api/ui/e/dev/integrations/none/scope-drift'), 'unknown_provider_config');
  });
});
