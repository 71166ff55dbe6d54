import { expect } from 'chai';
import { eraseMarked } from '../../core/connect/deletion/erase-marked.ts';
import { eraseOverdue } from '../../core/connect/deletion/erase-overdue.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { authorize, type Connected, createIntegration, createSession, mustBe, reconnect } from '../support/connect.ts';
import { connectDirectly, createDirectIntegrations, DIRECT_METHODS, type DirectMethod, directQuery } from '../support/direct.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { importableOf, integrate, makeModeProviders, providerOfMode } from '../support/mode-providers.ts';
import { makeProbes } from '../support/probe-providers.ts';
import { storeConnection, storeIntegration, storeTenant } from '../support/stored.ts';
import { APPLICATION, enableWebhooks, type StoredWebhook, storedWebhooks } from '../support/stored-webhooks.ts';
import { use } from '../support/use.ts';

const NEVER = new AbortController().signal;
const DAY = 24 * 3_600_000;
const TAGS = { team: 'a', end_user_id: 'u-1' };
const OVERRIDE = 'https://override.example/hook';
const METHODS: Readonly<Record<string, DirectMethod>> = DIRECT_METHODS;

describe('an auth webhook', function () {
  const provider = use(this, startFakeProvider);
  const modes = use(this, makeModeProviders);
  const probes = use(this, makeProbes);
  const app = use(this, () =>
    startApp({ env: { ...probes.env, SVC_PROVIDERS_DIR: `${probes.env['SVC_PROVIDERS_DIR']}:${modes.path}` } }),
  );

  before(async () => {
    await createIntegration(app, provider);
    await createDirectIntegrations(app, provider);
    await integrate(app, providerOfMode('API_KEY'));
  });
  beforeEach(async () => {
    await enableWebhooks(app.database.db);
    await app.database.db('webhook_messages').delete();
  });

  const webhooks = (): Promise<StoredWebhook[]> => storedWebhooks(app.services);

  /** Asserts that exactly one webhook is stored. @returns that webhook */
  async function only(): Promise<StoredWebhook> {
    const all = await webhooks();
    expect(all.map(({ body }) => body)).to.have.lengthOf(1);
    return all[0] ?? expect.fail();
  }

  async function connect(session: object = {}): Promise<Connected> {
    const token = await createSession(app, { tags: TAGS, allowed_integrations: ['fake'], ...session });
    mustBe(200, await authorize(app, { token }));
    const { body } = await app.api.get('/connections?limit=1');
    return { connectionId: body.connections[0].connection_id, key: 'fake' };
  }

  async function importOne(body: object = {}): Promise<Connected> {
    const key = providerOfMode('API_KEY');
    const response = await app.api.post('/connections', {
      provider_config_key: key,
      credentials: importableOf('API_KEY'),
      connection_config: { accountId: '1' },
      ...body,
    });
    mustBe(200, response);
    return { connectionId: response.body.connection_id, key };
  }

  async function forget(): Promise<void> {
    await app.database.db('webhook_messages').delete();
  }

  const remove = async ({ connectionId, key }: Connected) =>
    mustBe(200, await app.api.delete(`/connections/${connectionId}?provider_config_key=${key}`));

  /** Deletes an integration. @returns the ID of its row */
  async function deleteIntegration(key: string): Promise<number> {
    const { id } = await app.database.db('integrations').where({ unique_key: key }).whereNull('deleted_at').first('id');
    mustBe(200, await app.api.delete(`/integrations/${key}`));
    return id;
  }

  const operations = async () => (await webhooks()).map(({ body }) => [body.operation, body.connectionId]);

  it('reports a creation with the documented members and no others', async () => {
    const { connectionId } = await connect();
    expect(await only()).to.deep.include({
      target: 'primary',
      connectionId,
      body: {
        from: 'svc',
        type: 'auth',
        operation: 'creation',
        success: true,
        connectionId,
        providerConfigKey: 'fake',
        provider: 'generic-oauth',
        authMode: 'OAUTH2',
        provider_account: null,
        environment: 'dev',
        tags: TAGS,
      },
    });
  });

  it('reports an override with the tags of the connection', async () => {
    const connected = await connect();
    await forget();
    await reconnect(app, connected);
    const { body } = await only();
    expect(body).to.deep.include({ operation: 'override', success: true, connectionId: connected.connectionId, tags: TAGS });
    await forget();
    await reconnect(app, connected, { tags: { team: 'b' } });
    expect((await only()).body).to.deep.include({ operation: 'override', tags: { team: 'b' } });
  });

  it('names the end user as the application specified it, if there is one', async () => {
    const end_user = { id: 'u-7', email: 'ada@example.com', display_name: 'Ada', tags: { plan: 'x' } };
    await connect({ tags: {}, end_user, organization: { id: 'o-1', display_name: 'Org' } });
    const { body } = await only();
    expect(body.endUser).to.deep.equal({
      endUserId: 'u-7',
      endUserEmail: 'ada@example.com',
      organizationId: 'o-1',
      tags: { plan: 'x' },
    });
    await forget();
    await connect({ tags: {}, end_user: { id: 'u-8' } });
    expect((await only()).body.endUser).to.deep.equal({ endUserId: 'u-8', tags: {} });
  });

  for (const [what, method] of Object.entries(METHODS)) {
    it(`reports a creation with ${what}, which needs no browser at the provider`, async () => {
      const token = await createSession(app, { tags: TAGS });
      const response = await connectDirectly(app, method, { query: directQuery(method, token), body: method.body() });
      mustBe(200, response);
      const about = { connectionId: response.body.connectionId, providerConfigKey: method.key, authMode: method.authMode };
      expect((await only()).body).to.deep.include({ operation: 'creation', success: true, tags: TAGS, ...about });
    });
  }

  it('reports an import as a creation or an override', async () => {
    const connected = await importOne({ tags: TAGS });
    const about = { connectionId: connected.connectionId, providerConfigKey: connected.key, authMode: 'API_KEY' };
    expect((await only()).body).to.deep.include({ operation: 'creation', success: true, tags: TAGS, ...about });
    await forget();
    await importOne({ connection_id: connected.connectionId, tags: { team: 'c' }, webhook_url_override: OVERRIDE });
    const { target, body } = await only();
    expect(target).to.equal(OVERRIDE);
    expect(body).to.deep.include({ operation: 'override', success: true, tags: { team: 'c' }, ...about });
  });

  it('is not sent for an import with notify=false, which stores the same', async () => {
    const about = { provider_config_key: providerOfMode('API_KEY'), connection_id: 'quiet', tags: TAGS };
    for (const apiKey of [canary('first API key'), canary('second API key')]) {
      const { status, body, text } = await app.api.post('/connections?notify=false', {
        ...about,
        credentials: { type: 'API_KEY', apiKey },
      });
      expect(status, text).to.equal(200);
      expect(body).to.deep.include({ tags: TAGS, credentials: { type: 'API_KEY', apiKey } });
    }
    expect(await webhooks()).to.deep.equal([]);
    mustBe(200, await app.api.delete(`/connections/quiet?provider_config_key=${providerOfMode('API_KEY')}`));
    expect((await only()).body).to.include({ operation: 'deletion', connectionId: 'quiet' });
  });

  it('is not sent for a refused import, whose caller is the application itself', async () => {
    provider.next('api', { response: { status: 401 } });
    const credentials = { type: 'API_KEY', apiKey: canary('API key at the provider') };
    const response = await app.api.post('/connections', {
      provider_config_key: 'keyed',
      credentials,
      connection_config: { found: 'x' },
    });
    expect([response.status, response.body.error?.code], response.text).to.deep.equal([400, 'connection_test_failed']);
    expect(await webhooks()).to.deep.equal([]);
  });

  it('reports a deletion once, however many requests ask for it', async () => {
    const connected = await connect();
    await forget();
    const address = `/connections/${connected.connectionId}?provider_config_key=fake`;
    const responses = await Promise.all(Array.from({ length: 5 }, () => app.api.delete(address)));
    expect(responses.map(({ status }) => status).toSorted()).to.deep.equal([200, 404, 404, 404, 404]);
    expect((await only()).body).to.deep.include({
      operation: 'deletion',
      success: true,
      connectionId: connected.connectionId,
      providerConfigKey: 'fake',
      authMode: 'OAUTH2',
      tags: TAGS,
    });
  });

  for (const end of ['its job', 'the purge, when the job failed for good'] as const) {
    it(`reports each connection that is deleted with its integration once, by ${end}`, async () => {
      const key = await storeIntegration(app.api, `going-${end.length}`);
      const connections = [];
      for (let count = 0; count < 3; count += 1) connections.push(await storeConnection(app, { key, tags: TAGS }));
      const [alone = expect.fail(), ...together] = connections;
      await remove(alone);
      const halfway = await storeConnection(app, { key });
      // This connection looks as if a process had marked it deleted and notified the application, and had then been killed.
      await app.database
        .db('connections')
        .where({ connection_id: halfway.connectionId })
        .update({ deleted_at: new Date(0) });
      await forget();

      const integrationId = await deleteIntegration(key);
      expect(await webhooks()).to.deep.equal([]);
      if (end === 'its job') {
        for (let run = 0; run < 2; run += 1) await eraseMarked(app.services, { environmentId: 1, integrationId }, NEVER);
      } else {
        await app.clock.advance(2 * DAY);
        await eraseOverdue(app.services);
      }
      expect(await app.database.db('integrations').where({ id: integrationId })).to.deep.equal([]);
      expect(await operations()).to.have.deep.members(together.map(({ connectionId }) => ['deletion', connectionId]));
      const [first = expect.fail()] = await webhooks();
      const about = { providerConfigKey: key, provider: 'generic-oauth', authMode: 'OAUTH2', tags: TAGS };
      expect(first.body).to.deep.include({ success: true, ...about });
    });
  }

  it('is not sent for connections that are deleted with their environment, since nobody is left to receive it', async () => {
    const tenant = await storeTenant(app, 'going');
    const key = await storeIntegration(tenant.api, 'there');
    await enableWebhooks(app.database.db, {}, tenant.environmentId);
    await storeConnection(app, { key, environmentId: tenant.environmentId });
    mustBe(204, await app.client(app.accountKey).delete(`/environments/${tenant.environmentId}`));
    await eraseMarked(app.services, { environmentId: tenant.environmentId }, NEVER);
    expect(await app.database.db('environments').where({ id: tenant.environmentId })).to.deep.equal([]);
    expect(await webhooks()).to.deep.equal([]);
  });

  const SWITCHES = [
    ['on_new_connection', ['creation', 'override']],
    ['on_deletion', ['deletion']],
  ] as const;
  for (const [toggle, its] of SWITCHES) {
    it(`of ${its.join(' and ')} is sent only where ${toggle} is on`, async () => {
      const none = { on_new_connection: false, on_refresh: false, on_deletion: false };
      for (const toggles of [none, { ...none, [toggle]: true }]) {
        await enableWebhooks(app.database.db, toggles);
        const connected = await connect();
        await reconnect(app, connected);
        await remove(connected);
      }
      expect((await webhooks()).map(({ body }) => body.operation)).to.deep.equal([...its]);
    });
  }

  it('goes to both webhook URLs of the environment under separate IDs, or nowhere if it has none', async () => {
    await enableWebhooks(app.database.db, { webhook_url_secondary: `${APPLICATION}/2` });
    await connect();
    const both = await webhooks();
    expect(both.map(({ target }) => target).toSorted()).to.deep.equal(['primary', 'secondary']);
    expect(new Set(both.map(({ id }) => id))).to.have.property('size', 2);
    expect(both[0]?.body).to.deep.equal(both[1]?.body);
    await forget();
    await enableWebhooks(app.database.db, { webhook_url: null });
    await connect();
    expect(await webhooks()).to.deep.equal([]);
  });

  it('goes to the connection’s own webhook URL instead if it has one, even if the environment has none', async () => {
    for (const webhook_url of [APPLICATION, null]) {
      await forget();
      await enableWebhooks(app.database.db, { webhook_url });
      const connected = await connect({ webhook_url_override: OVERRIDE });
      await reconnect(app, connected, { webhook_url_override: `${OVERRIDE}/2` });
      await remove(connected);
      expect((await webhooks()).map(({ target, body }) => [body.operation, target])).to.deep.equal([
        ['creation', OVERRIDE],
        ['override', `${OVERRIDE}/2`],
        ['deletion', `${OVERRIDE}/2`],
      ]);
    }
  });

  it('TEN-01: names the environment that the connection is in, and goes to no other', async () => {
    const tenant = await storeTenant(app, 'other');
    const service = { url: app.url, api: tenant.api };
    await createIntegration(service, provider);
    await enableWebhooks(app.database.db, { webhook_url: 'https://other.example/' }, tenant.environmentId);
    mustBe(200, await authorize(service, { token: await createSession(service) }));
    expect((await only()).body.environment).to.equal('other');
    const environments = await app.database.db('webhook_messages').distinct('environment_id').pluck('environment_id');
    expect(environments).to.deep.equal([tenant.environmentId]);
  });
});
