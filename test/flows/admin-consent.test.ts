import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { connectionsOf, enter, finish, logOf, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { createSession, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const KEY = 'directory';
const TENANT = 'tenant-of-ada';
const CONSENT = { code: undefined, iss: undefined, admin_consent: 'True', tenant: TENANT };
const URL_FIELD = { type: 'string', title: 'Server', format: 'uri' };
const DEFINITION = {
  display_name: 'Directory',
  docs: 'https://docs.example',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.server}/authorize',
  token_url: '${integrationConfig.server}/token?tenant=${connectionConfig.tenant}',
  token_params: { scope: 'everything' },
  callback: { grant: 'client_credentials', expect: { admin_consent: 'True', tenant: '${connectionConfig.tenant}' } },
  integration_config: { server: URL_FIELD },
  connection_config: { tenant: { type: 'string', title: 'Tenant', pattern: '[a-z-]+', hidden: true } },
  proxy: { base_url: '${integrationConfig.server}/api' },
};

describe('an administrator’s consent, which brings no code', function () {
  const folders = use(this, () => makeFolders({ 'directory/provider.json': JSON.stringify(DEFINITION) }));
  const provider = use(this, () => startFakeProvider({ pkce: 'ignored' }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  before(async () => {
    const credentials = { client_id: provider.clientId, client_secret: provider.clientSecret };
    const integration_config = { server: provider.url };
    mustBe(200, await app.api.post('/integrations', { unique_key: KEY, provider: KEY, credentials, integration_config }));
  });
  beforeEach(() => {
    provider.always('token', {});
  });

  function session(tenant = TENANT): Promise<string> {
    const integrations_config_defaults = { [KEY]: { connection_config: { tenant } } };
    return createSession(app, { allowed_integrations: [KEY], integrations_config_defaults });
  }

  async function connect() {
    const token = await session();
    const page = await finish(await returnFromProvider(app, { key: KEY, token }), CONSENT);
    mustBe(200, page);
    const [newest] = await connectionsOf(app);
    return { connectionId: String(newest?.connection_id), key: KEY };
  }

  it('gets the app a token of its own for the tenant that the backend has set', async () => {
    const connected = await connect();
    const call = provider.ledger.of('token').at(-1);
    expect(call?.target).to.equal(`/token?tenant=${TENANT}`);
    expect(call?.params).to.include({ grant_type: 'client_credentials', scope: 'everything', client_id: provider.clientId });
    expect(call?.params).to.not.have.any.keys('code', 'code_verifier', 'redirect_uri');
    const { body } = await readConnection(app, connected);
    expect(body.credentials).to.include({ type: 'OAUTH2' }).and.not.to.have.property('refresh_token');
    expect(body.connection_config).to.deep.equal({ tenant: TENANT });
    expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
  });

  it('gets the next token in the same way before the first one expires', async () => {
    const connected = await connect();
    const before = (await readConnection(app, connected)).body.credentials.access_token;
    await app.clock.advance(3_500_000, app.database.db);
    const after = (await readConnection(app, connected)).body.credentials.access_token;
    expect(after).to.not.equal(before);
    expect(provider.ledger.of('token').at(-1)?.params).to.include({ grant_type: 'client_credentials', scope: 'everything' });
  });

  for (const [what, changes] of Object.entries({
    'another tenant': { tenant: 'tenant-of-eve' },
    'no tenant': { tenant: undefined },
    'no consent': { admin_consent: undefined },
    'a refused consent': { admin_consent: 'False' },
    'a code in place of a consent': { admin_consent: undefined, code: 'stolen' },
    'an error': { error: 'access_denied' },
  })) {
    it(`connects nothing for a callback with ${what}`, async () => {
      const before = await connectionsOf(app);
      const spent = provider.ledger.of('token').length;
      const returning = await returnFromProvider(app, { key: KEY, token: await session() });
      const page = await finish(returning, { ...CONSENT, ...changes });
      expect(page.status, wordsOf(page)).to.equal(400);
      expect(await connectionsOf(app)).to.have.length(before.length);
      expect(provider.ledger.of('token')).to.have.length(spent);
    });
  }

  it('records in the operation log what a forged callback contained', async () => {
    const returning = await returnFromProvider(app, { key: KEY, token: await session() });
    const page = await finish(returning, { ...CONSENT, tenant: 'tenant-of-eve' });
    expect(JSON.stringify((await logOf(app, page)).body))
      .to.include('expected value of tenant')
      .and.not.include('of-eve');
  });

  it('begins only for a tenant that the backend has set', async () => {
    const allowed = { allowed_integrations: [KEY] };
    const unset = await enter(app, { key: KEY, token: await createSession(app, allowed) });
    expect(unset.status).to.equal(400);
    const typed = { key: KEY, token: await createSession(app, allowed), params: { tenant: TENANT } };
    expect((await enter(app, typed)).status).to.equal(400);
  });

  it('needs the user once the provider refuses the app', async () => {
    const connected = await connect();
    provider.always('token', { response: { status: 400, body: '{"error":"invalid_grant"}' } });
    expectError(await readConnection(app, connected, '&force_refresh=strict'), 'invalid_credentials');
  });
});
