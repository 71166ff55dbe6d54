import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { createSession } from '../support/connect.ts';
import { type Folder, makeFolders } from '../support/folders.ts';
import { integrate } from '../support/mode-providers.ts';
import { addSandbox } from '../support/sandbox.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

const DOCS = 'https://docs.example.com';
const GUIDE = 'https://docs.example.com/connect';
const HOST = { type: 'string', title: 'Subdomain', pattern: '[a-z]+' };
const OAUTH = { display_name: 'Signs in', docs: DOCS, auth_mode: 'OAUTH2', token_url: 'https://auth.example/token' };

const PROVIDERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  described: {
    display_name: 'Described',
    docs: DOCS,
    auth_mode: 'API_KEY',
    connect_guide_url: GUIDE,
    setup_guide_url: 'https://docs.example.com/apps',
    connection_config: {
      region: { type: 'string', title: 'Region', enum: ['eu', 'us'], warnings: { us: 'Outside the EU.' } },
      shard: { type: 'string', title: 'Shard', visible_when: { field: 'region', equals: 'us' }, optional: true },
      subdomain: {
        ...HOST,
        order: 1,
        prefix: 'https://',
        suffix: '.described.example',
        format: 'hostname',
        pattern_message: 'Letters only.',
        doc_section: 'sub domain',
      },
      found: { type: 'string', title: 'Found', automated: true },
      internal: { type: 'string', title: 'Internal', hidden: true, default_value: 'x' },
    },
    credentials: {
      apiKey: {
        type: 'string',
        title: 'Secret key',
        secret: true,
        multiline: true,
        hint: 'sk_.+',
        help_url: 'https://docs.example.com/key',
      },
    },
  },
  basic: { display_name: 'basic', docs: DOCS, auth_mode: 'BASIC', setup_guide_url: 'https://docs.example.com/apps' },
  nothing: { display_name: 'Nothing', docs: DOCS, auth_mode: 'NONE' },
  imported: { display_name: 'Imported', docs: DOCS, auth_mode: 'CUSTOM' },
  'signs-in': {
    ...OAUTH,
    authorization_url: 'https://auth.example/${connectionConfig.tenant}/authorize',
    connection_config: { tenant: { type: 'string', title: 'Tenant' } },
    available_scopes: [{ name: 'read', description: 'Read your notes' }, { name: 'write', description: 'Write' }, 'plain'],
    default_scopes: ['read', 'plain'],
  },
  'signs-in-at-own-host': {
    ...OAUTH,
    authorization_url: 'https://${connectionConfig.subdomain}.auth.example/authorize',
    connection_config: { subdomain: HOST },
  },
};

function makeProviders(): Promise<Folder> {
  const files = Object.entries(PROVIDERS).map(([name, definition]) => {
    const proxy = definition['auth_mode'] === 'CUSTOM' ? {} : { proxy: { base_url: 'https://api.example' } };
    return [`${name}/provider.json`, JSON.stringify({ ...proxy, ...definition })];
  });
  return makeFolders(Object.fromEntries(files));
}

describe('the form of an integration', function () {
  const folders = use(this, makeProviders);
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  before(async () => {
    for (const provider of Object.keys(PROVIDERS)) await integrate(app, provider);
  });

  const formOf = async (key: string, session: Readonly<Record<string, unknown>> = {}) => {
    const token = await createSession(app, session);
    return app.client(token).get(`/connect/integrations/${key}`);
  };
  const read = async (key: string, session: Readonly<Record<string, unknown>> = {}) => {
    const { status, body } = await formOf(key, session);
    expect(status).to.equal(200);
    return body.data;
  };
  const pathsOf = ({ fields }: { fields: { path: string[] }[] }) => fields.map(({ path }) => path.join('.'));

  it('has what the definition says, in order, without hidden and discovered fields', async () => {
    expect(await read('described')).to.deep.equal({
      unique_key: 'described',
      display_name: 'Described',
      provider: 'described',
      logo_url: `${app.url}/logos/described.svg`,
      way: 'form',
      sign_in_host: null,
      guide_url: GUIDE,
      scopes: [],
      fields: [
        {
          path: ['params', 'subdomain'],
          title: 'Subdomain',
          pattern: '[a-z]+',
          pattern_message: 'Letters only.',
          format: 'hostname',
          prefix: 'https://',
          suffix: '.described.example',
          help_url: `${GUIDE}#sub%20domain`,
        },
        {
          path: ['credentials', 'apiKey'],
          title: 'Secret key',
          secret: true,
          multiline: true,
          hint: 'sk_.+',
          help_url: 'https://docs.example.com/key',
        },
        { path: ['params', 'region'], title: 'Region', enum: ['eu', 'us'], warnings: { us: 'Outside the EU.' } },
        { path: ['params', 'shard'], title: 'Shard', optional: true, visible_when: { field: 'region', equals: 'us' } },
      ],
      is_reconnect: false,
      callback_url: null,
    });
  });

  it('has the fields of the mode where the definition says nothing; a guide for developers is not for users', async () => {
    const form = await read('basic');
    expect(form).to.include({ way: 'form', guide_url: null });
    expect(form.fields).to.deep.equal([
      { path: ['credentials', 'username'], title: 'User name' },
      { path: ['credentials', 'password'], title: 'Password', secret: true, verbatim: true },
    ]);
    expect(await read('nothing')).to.deep.include({ way: 'none', fields: [] });
  });

  it('leaves out what the backend has set, and never reveals the value', async () => {
    const preset = canary('preset')
      .toLowerCase()
      .replace(/[^a-z]/g, '');
    const defaults = { described: { connection_config: { subdomain: preset, region: 'us' } } };
    const { body, text } = await formOf('described', { integrations_config_defaults: defaults });
    expect(pathsOf(body.data)).to.deep.equal(['credentials.apiKey', 'params.shard']);
    expect(body.data.fields[1]).not.to.have.property('visible_when');
    expect(text).not.to.contain(preset);
    const elsewhere = { described: { connection_config: { region: 'eu' } } };
    expect(pathsOf(await read('described', { integrations_config_defaults: elsewhere }))).not.to.include('params.shard');
  });

  it('links to the guide of the backend without anchors of the default guide', async () => {
    const form = await read('described', { overrides: { described: { docs_connect: 'https://app.example/how' } } });
    expect(form.guide_url).to.equal('https://app.example/how');
    expect(form.fields[0]).not.to.have.property('help_url');
  });

  it('says where users sign in, if nothing that they enter or the backend has set decides it', async () => {
    expect(await read('signs-in')).to.include({ way: 'sign_in', sign_in_host: 'auth.example' });
    const preset = { 'signs-in-at-own-host': { connection_config: { subdomain: 'acme' } } };
    const form = await read('signs-in-at-own-host', { integrations_config_defaults: preset });
    expect(form).to.deep.include({ sign_in_host: null, fields: [] });
    await storeIntegration(app.api, 'generic');
    expect((await read('generic')).sign_in_host).to.equal('auth.example');
  });

  it('says the callback URL to register, if there is an app to register it with and the environment is not for production', async () => {
    const update = (changes: object) => app.database.db('environments').where({ id: 1 }).update(changes);
    const callback = async (key: string) => (await read(key)).callback_url;
    expect(await callback('signs-in')).to.equal(`${app.url}/oauth/callback`);
    await addSandbox(app);
    for (const key of ['sandbox-oauth2', 'basic', 'nothing']) expect(await callback(key), key).to.equal(null);
    await update({ callback_url: 'https://app.example/callback' });
    expect(await callback('signs-in')).to.equal('https://app.example/callback');
    await update({ callback_url: null, is_production: true });
    expect(await callback('signs-in')).to.equal(null);
    await update({ is_production: false });
  });

  it('describes the scopes that are requested and have a description', async () => {
    expect((await read('signs-in')).scopes).to.deep.equal([{ name: 'read', description: 'Read your notes' }]);
    const preset = { 'signs-in': { connection_config: { oauth_scopes_override: 'write,plain,other' } } };
    const { scopes } = await read('signs-in', { integrations_config_defaults: preset });
    expect(scopes).to.deep.equal([{ name: 'write', description: 'Write' }]);
  });

  it('of a reconnect session asks for no configuration', async () => {
    const { connectionId } = await storeConnection(app, { key: 'signs-in' });
    const wanted = { connection_id: connectionId, integration_id: 'signs-in' };
    const { body } = await app.api.post('/connect/sessions/reconnect', wanted);
    const form = (await app.client(body.data.token).get('/connect/integrations/signs-in')).body.data;
    expect(form).to.deep.include({ is_reconnect: true, fields: [] });
  });

  it('is refused for integrations that the session does not allow, that do not exist, or that only backends import', async () => {
    expectError(await formOf('basic', { allowed_integrations: ['described'] }), 'integration_not_allowed');
    expectError(await formOf('nobody'), 'unknown_provider_config');
    expectError(await formOf('imported'), 'invalid_auth_mode');
    expectError(await app.api.get('/connect/integrations/basic'), 'unknown_connect_session_token');
  });

  describe('the list of integrations', () => {
    it('has the integrations that users can connect, by name, without regard to case', async () => {
      const token = await createSession(app, { allowed_integrations: ['signs-in', 'nothing', 'basic', 'imported', 'described'] });
      const { integrations } = (await app.client(token).get('/connect/session')).body.data;
      expect(integrations.map((one: Record<string, unknown>) => [one['display_name'], one['way']])).to.deep.equal([
        ['basic', 'form'],
        ['Described', 'form'],
        ['Nothing', 'none'],
        ['Signs in', 'sign_in'],
      ]);
      expect(integrations[0]).to.deep.equal({
        unique_key: 'basic',
        display_name: 'basic',
        provider: 'basic',
        logo_url: `${app.url}/logos/basic.svg`,
        categories: [],
        way: 'form',
      });
    });
  });
});
