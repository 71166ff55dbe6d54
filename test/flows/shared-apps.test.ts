import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { connectionsOf, enter, finish, returnFromProvider } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import { type Connected, createSession, readConnection } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { readParams } from '../support/fake-provider/read-params.ts';
import { makeFolders } from '../support/folders.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const SCOPES = ['profile', 'notes:read'];

describe('an integration without an app of its own', function () {
  const provider = use(this, startFakeProvider);
  const files = use(this, () => {
    const shared = { client_id: provider.clientId, client_secret: provider.clientSecret, scopes: SCOPES };
    return makeFolders({ 'apps.json': JSON.stringify({ 'generic-oauth': shared }) });
  });
  const app = use(this, () => startApp({ env: { SVC_SHARED_APPS_FILE: `${files.path}/apps.json` } }));
  let connected: Connected;

  const addresses = () => ({
    authorization_url: provider.authorizationUrl,
    token_url: provider.tokenUrl,
    api_base_url: `${provider.url}/api`,
  });

  const create = (key: string, credentials?: object) =>
    app.api.post('/integrations', {
      unique_key: key,
      provider: 'generic-oauth',
      integration_config: addresses(),
      ...(credentials !== undefined && { credentials }),
    });

  /** Begins an authorization. @returns the query parameters with which the browser is sent to the provider */
  async function requestOf(key: string, session: object = {}): Promise<Record<string, string>> {
    const token = await createSession(app, { allowed_integrations: [key], ...session });
    const page = await enter(app, { key, token });
    return Object.fromEntries(new URL(page.headers.get('location') ?? '').searchParams);
  }

  before(async () => {
    await app.database.db('environments').where({ id: 1 }).update({ callback_url: 'https://app.example/callback' });
    expect((await create('shared', { scopes: 'everything' })).status).to.equal(200);
  });

  it('is warned about at the start if the secret of the shared app can be sent anywhere', () => {
    const warned = app.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
    expect(warned.map(({ provider: slug }) => slug)).to.include('generic-oauth');
  });

  it('sends users to the provider as the shared app, with its scopes and our callback', async () => {
    const request = await requestOf('shared');
    expect(request).to.include({ client_id: provider.clientId, scope: SCOPES.join(' ') });
    expect(request['redirect_uri']).to.equal(`${app.url}/oauth/callback`);
  });

  it('accepts no other scopes from a session either', async () => {
    const defaults = {
      connection_config: { oauth_scopes_override: 'everything' },
      authorization_params: { scope: 'everything', prompt: 'consent' },
    };
    const request = await requestOf('shared', { integrations_config_defaults: { shared: defaults } });
    expect(request).to.include({ scope: SCOPES.join(' '), prompt: 'consent' });
  });

  it('connects, and refreshes the tokens, as the shared app', async () => {
    const token = await createSession(app, { allowed_integrations: ['shared'] });
    const page = await finish(await returnFromProvider(app, { key: 'shared', token }));
    expect(page.status, page.text).to.equal(200);
    const [newest] = await connectionsOf(app);
    connected = { connectionId: newest?.connection_id ?? '', key: 'shared' };
    expect((await readConnection(app, connected, '&force_refresh=true')).status).to.equal(200);
    const calls = provider.ledger.of('token').map((entry) => readParams(entry));
    expect(calls.map(({ grant_type }) => grant_type)).to.deep.equal(['authorization_code', 'refresh_token']);
    for (const call of calls) expect(call['client_secret'] === provider.clientSecret).to.equal(true);
  });

  it('never shows the shared app', async () => {
    const { body, text } = await app.api.get('/integrations/shared?include=credentials');
    expect(body.data.credentials).to.include({ client_id: null, client_secret: null });
    const responses = await Promise.all([app.api.get('/integrations'), app.api.get('/providers/generic-oauth')]);
    for (const response of [text, ...responses.map((one) => one.text)])
      for (const part of [provider.clientId, provider.clientSecret]) expect(response.includes(part)).to.equal(false);
  });

  it('is not created by quickstart if no app is shared or configuration is required', async () => {
    const { body } = await app.api.post('/integrations/quickstart', { unique_key: 'quick', provider: 'github' });
    expect(body.error.errors[0].path).to.deep.equal(['provider']);
    expectError(
      await app.api.post('/integrations/quickstart', { unique_key: 'quick', provider: 'generic-oauth' }),
      'invalid_body',
      ['integration_config', 'token_url'],
    );
  });

  it('does not fall back to the shared app if it has half an app', async () => {
    await create('half', { client_secret: canary('half an app') });
    const token = await createSession(app, { allowed_integrations: ['half'] });
    expectError(await app.client().get(`/oauth/connect/half?connect_session_token=${token}`), 'missing_client_id');
  });

  it('uses its own app once it gets one', async () => {
    await create('switching');
    expect(await requestOf('switching')).to.include({ client_id: provider.clientId, scope: SCOPES.join(' ') });
    const own = { client_id: 'own', client_secret: canary('own secret'), scopes: 'mine' };
    expect((await app.api.patch('/integrations/switching', { credentials: own })).status).to.equal(200);
    const request = await requestOf('switching');
    expect(request).to.include({ client_id: 'own', scope: 'mine', redirect_uri: 'https://app.example/callback' });
  });
});
