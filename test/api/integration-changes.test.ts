import { expect } from 'chai';
import { integrationByKey } from '../../core/connections/integrations/integration-store.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { createSession, readConnection } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { CONFIG } from '../support/integration-bodies.ts';
import { expectError } from '../support/std-error.ts';
import { changeIntegrations, clientWith, storeConnection, storeIntegration, storeTenant } from '../support/stored.ts';
import { use } from '../support/use.ts';

const DEFINITION = {
  display_name: 'Signed',
  docs: 'https://docs.example',
  auth_mode: 'OAUTH2',
  authorization_url: 'https://auth.example/authorize',
  token_url: 'https://auth.example/token',
  integration_config: {
    region: { type: 'string', title: 'Region', enum: ['eu', 'us'] },
    signing_key: { type: 'string', title: 'Signing key', secret: true, optional: true },
  },
};

interface Changed {
  readonly display_name?: string;
  readonly forward_webhooks?: boolean;
  readonly credentials?: object;
}

describe('an integration that is changed', function () {
  const files = use(this, () => makeFolders({ 'signed/provider.json': JSON.stringify(DEFINITION) }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: files.path } }));
  const first = {
    client_id: 'first',
    client_secret: canary('client secret'),
    scopes: 'read',
    webhook_secret: canary('webhook secret'),
  };
  let made = 0;

  /** Creates an integration in which every property is set. @returns its key */
  async function create(): Promise<string> {
    made += 1;
    const unique_key = `changed ${made}`;
    const named = { unique_key, provider: 'generic-oauth', display_name: 'First', forward_webhooks: true };
    const response = await app.api.post('/integrations', { ...named, credentials: first, integration_config: CONFIG });
    expect(response.status).to.equal(200);
    return unique_key;
  }

  const at = (key: string) => `/integrations/${encodeURIComponent(key)}`;
  const patch = (key: string, body: object, api = app.api): Promise<ClientResponse> => api.patch(at(key), body);
  const read = async (key: string) => (await app.api.get(`${at(key)}?include=credentials`)).body.data;
  const configOf = async (key: string) =>
    (await app.database.db('integrations').where({ unique_key: key }).first('integration_config')).integration_config;

  const FIELDS: Readonly<Record<string, readonly [body: object, changed: Changed]>> = {
    display_name: [{ display_name: 'Second' }, { display_name: 'Second' }],
    forward_webhooks: [{ forward_webhooks: false }, { forward_webhooks: false }],
    'credentials.client_id': [{ credentials: { client_id: 'second' } }, { credentials: { client_id: 'second' } }],
    'credentials.client_secret': [{ credentials: { client_secret: 's2' } }, { credentials: { client_secret: 's2' } }],
    'credentials.scopes': [{ credentials: { scopes: 'read,write' } }, { credentials: { scopes: 'read,write' } }],
    'credentials.scopes, emptied': [{ credentials: { scopes: '' } }, { credentials: { scopes: '' } }],
    'credentials.webhook_secret': [{ credentials: { webhook_secret: 'w2' } }, { credentials: { webhook_secret: 'w2' } }],
    'credentials.webhook_secret, emptied': [{ credentials: { webhook_secret: '' } }, { credentials: { webhook_secret: null } }],
    'credentials, with their type': [
      { credentials: { type: 'OAUTH2', client_id: 'third' } },
      { credentials: { client_id: 'third' } },
    ],
    nothing: [{}, {}],
  };
  for (const [field, [body, { credentials = {}, ...changed }]] of Object.entries(FIELDS)) {
    it(`in ${field} alone keeps everything else`, async () => {
      const key = await create();
      const { credentials: appBefore, ...before } = await read(key);
      const { status, body: response } = await patch(key, body);
      expect(status).to.equal(200);
      const { credentials: appAfter, ...record } = await read(key);
      expect(response.data).to.deep.equal(record);
      expect(record.updated_at > before.updated_at, 'updated_at moved').to.equal(true);
      expect(record).to.deep.equal({ ...before, updated_at: record.updated_at, ...changed });
      expect(appAfter).to.deep.equal({ ...appBefore, ...credentials });
      expect(await configOf(key)).to.deep.equal(CONFIG);
    });
  }

  it('in its configuration keeps the fields that the request omits, and loses those that are empty', async () => {
    const key = await create();
    await patch(key, { integration_config: { body_format: 'json', refresh_url: 'https://auth.example/refresh' } });
    expect(await configOf(key)).to.deep.equal({ ...CONFIG, body_format: 'json', refresh_url: 'https://auth.example/refresh' });
    await patch(key, { integration_config: { body_format: '', token_url: 'https://auth.example/2' } });
    const after = { ...CONFIG, refresh_url: 'https://auth.example/refresh', token_url: 'https://auth.example/2' };
    expect(await configOf(key)).to.deep.equal(after);
    expectError(await patch(key, { integration_config: { token_url: '' } }), 'invalid_body', ['integration_config', 'token_url']);
    expect(await configOf(key)).to.deep.equal(after);
  });

  it('in nothing when one member is invalid', async () => {
    const key = await create();
    const before = await read(key);
    expectError(await patch(key, { display_name: 'Second', integration_config: { body_format: 'xml' } }), 'invalid_body');
    expectError(await patch(key, { display_name: 'Second', credentials: { type: 'BASIC' } }), 'invalid_body');
    expect(await read(key)).to.deep.equal(before);
  });

  it('in one field is not refused because another field does not fit a newer definition', async () => {
    const key = await create();
    const stored = { ...CONFIG, once_there: 'x' };
    await changeIntegrations(app, { integration_config: stored }, key);
    expect((await patch(key, { integration_config: { body_format: 'json' } })).status).to.equal(200);
    expect(await configOf(key)).to.deep.equal({ ...stored, body_format: 'json' });
  });

  it('does not show the secret fields of its configuration', async () => {
    const [one, two] = [canary('signing key'), canary('second signing key')];
    const integration_config = { region: 'eu', signing_key: one };
    await app.api.post('/integrations', { unique_key: 'signed', provider: 'signed', integration_config });
    const used = async () => (await integrationByKey(app.services, 1, 'signed'))?.integrationConfig;
    expect(await configOf('signed')).to.deep.equal({ region: 'eu' });
    expect(await used()).to.deep.equal(integration_config);
    await patch('signed', { integration_config: { region: 'us' } });
    expect(await used()).to.deep.equal({ region: 'us', signing_key: one });
    await patch('signed', { integration_config: { signing_key: two } });
    expect(await used()).to.deep.equal({ region: 'us', signing_key: two });
    expect(await configOf('signed')).to.deep.equal({ region: 'us' });
    expect(await app.database.dump()).not.to.contain(two);
    await patch('signed', { integration_config: { signing_key: '' } });
    expect(await used()).to.deep.equal({ region: 'us' });
  });

  describe('in its key', () => {
    it('is found under the new one only, and its connections follow', async () => {
      const key = await create();
      const { connectionId } = await storeConnection(app, { key });
      const { status, body } = await patch(key, { unique_key: 'renamed' });
      expect(status).to.equal(200);
      expect(body.data.unique_key).to.equal('renamed');
      expectError(await app.api.get(at(key)), 'unknown_provider_config');
      expectError(await readConnection(app, { connectionId, key: encodeURIComponent(key) }), 'unknown_provider_config');
      const connection = await readConnection(app, { connectionId, key: 'renamed' });
      expect(connection.body.provider_config_key).to.equal('renamed');
      const { body: list } = await app.api.get('/connections?integrationId=renamed');
      expect(list.connections.map(({ connection_id }: { connection_id: string }) => connection_id)).to.deep.equal([connectionId]);
      expect((await read('renamed')).credentials).to.include(first);
    });

    it('leaves the old key free for others', async () => {
      const key = await create();
      await patch(key, { unique_key: 'moved away' });
      await storeIntegration(app.api, key);
      expectError(await patch('moved away', { unique_key: key }), 'conflict');
    });

    it('may keep its key', async () => {
      const key = await create();
      expect((await patch(key, { unique_key: key, display_name: 'Same' })).body.data.display_name).to.equal('Same');
    });

    it('may not take the key of another integration, and then stays as it was', async () => {
      const [one, two] = [await create(), await create()];
      const before = await read(two);
      expectError(await patch(two, { unique_key: one, display_name: 'Second' }), 'conflict');
      expect(await read(two)).to.deep.equal(before);
    });

    it('may take a key that is used in another environment', async () => {
      const other = await storeTenant(app, 'other');
      await storeIntegration(other.api, 'theirs');
      expect((await patch(await create(), { unique_key: 'theirs' })).status).to.equal(200);
    });

    it('is possible for only one of several integrations that take the same key at once', async () => {
      const keys = await Promise.all(Array.from({ length: 4 }, create));
      const responses = await Promise.all(keys.map((key) => patch(key, { unique_key: 'wanted by all' })));
      expect(responses.map(({ status }) => status).toSorted()).to.deep.equal([200, 409, 409, 409]);
    });

    it('is not found by older sessions that name the old one', async () => {
      const key = await create();
      const token = await createSession(app, { allowed_integrations: [key] });
      await patch(key, { unique_key: 'unnamed' });
      expect((await app.client(token).get('/integrations')).body.data).to.deep.equal([]);
    });
  });

  it('by many at once has the values of each of them', async () => {
    const key = await create();
    const changes = [
      { display_name: 'Second' },
      { forward_webhooks: false },
      { credentials: { client_id: 'second' } },
      { credentials: { scopes: 'all' } },
      { credentials: { webhook_secret: 'second' } },
      { integration_config: { body_format: 'json' } },
      { integration_config: { token_request_auth_method: 'basic' } },
      { integration_config: { scope_separator: ',' } },
    ];
    const responses = await Promise.all(changes.map((change) => patch(key, change)));
    for (const { status, text } of responses) expect(status, text).to.equal(200);
    expect(await read(key)).to.deep.include({
      display_name: 'Second',
      forward_webhooks: false,
      credentials: { type: 'OAUTH2', ...first, client_id: 'second', scopes: 'all', webhook_secret: 'second' },
    });
    const input = { body_format: 'json', token_request_auth_method: 'basic', scope_separator: ',' };
    expect(await configOf(key)).to.deep.equal({ ...CONFIG, ...input });
  });

  describe('is refused', () => {
    it('without an API key, or with one that lacks the scope (401, 403)', async () => {
      const key = await create();
      expectError(await patch(key, {}, app.client()), 'missing_auth_header');
      expectError(await patch(key, {}, await clientWith(app, 'environment:integrations:create')), 'forbidden');
      expect((await patch(key, {}, await clientWith(app, 'environment:integrations:update'))).status).to.equal(200);
    });

    it('when it does not exist or is in another environment (404)', async () => {
      expectError(await patch('nobody', {}), 'unknown_provider_config');
      const other = await storeTenant(app, 'another');
      expectError(await patch(await create(), { display_name: 'Theirs' }, other.api), 'unknown_provider_config');
    });

    it('with a query, or with an invalid key (400)', async () => {
      expectError(await app.api.patch(`${at(await create())}?include=webhook`, {}), 'invalid_query_params', ['include']);
      expectError(await app.api.patch('/integrations/a%2Fb', {}), 'invalid_uri_params', ['uniqueKey']);
    });
  });

  it('may be renamed even if its provider is gone, but not configured', async () => {
    const key = await create();
    await changeIntegrations(app, { provider: 'gone' }, key);
    expect((await patch(key, { unique_key: 'orphan', display_name: 'Orphan' })).status).to.equal(200);
    expectError(await patch('orphan', { credentials: { client_id: 'x' } }), 'not_found');
    expectError(await patch('orphan', { integration_config: {} }), 'not_found');
    await app.database.db('integrations').where({ unique_key: 'orphan' }).delete();
  });
});
