import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { eraseMarked } from '../../core/connect/deletion/erase-marked.ts';
import { AccountInstallation } from '../support/account-installation.ts';
import { finish, wordsOf } from '../support/authorization.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { type Connected, mustBe, throughProxy } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { withoutCalls } from '../support/operation-messages.ts';
import type { Behaviour } from '../support/scripted-server/behaviour.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { useEach } from '../support/use.ts';
import { beginWindowFlow, returnFromLaunch } from '../support/window-flow.ts';

const PICTURE = rememberSecret('picture of the account', randomUUID());
const ADA = { id: 'account-1', name: 'Ada', email: 'ada@example.com', picture: `https://pictures.example/${PICTURE}.png` };
const EVE = { id: 'account-2', name: 'Eve' };
const WITHOUT_REFRESH_TOKEN = { members: { refresh_token: undefined } };

/** Responses to the request for the provider account that do not name an account. */
const SILENT: Readonly<Record<string, Behaviour>> = {
  'is refused': { response: { status: 403 } },
  'is not there': { response: { status: 404 } },
  fails: { response: { status: 500 } },
  'leads elsewhere': { response: { status: 302, headers: { location: '/elsewhere' } } },
  'is a page': { response: { status: 200, body: '<h1>Sign in</h1>' } },
  'has no ID': { response: { status: 200, body: '{"user":{"name":"Ada"}}' } },
  'has an ID of the wrong type': { response: { status: 200, body: '{"user":{"id":["a"]}}' } },
  'has a hostile ID': { response: { status: 200, body: JSON.stringify({ user: { id: 'a\r\nb' } }) } },
  'is huge': { response: { status: 200, body: JSON.stringify({ user: { id: 'a', padding: 'x'.repeat(2 ** 20) } }) } },
  'is deep': { response: { status: 200, body: '['.repeat(500_000) } },
  'ends inside': { response: { status: 200, body: '{"user":{"id":"a"}}' }, delivery: 'truncate' },
  'never ends': { response: { status: 200, body: '{"user":{"id":"a"}}' }, delivery: 'stall' },
};

describe('the account at the provider', function () {
  const setup = useEach(this, () => AccountInstallation.open());
  this.timeout(60_000);

  it('is shown by the health of the connection and in webhooks, and nowhere else', async () => {
    setup.respond({ user: ADA });
    const connected = await setup.connect();
    expect(await setup.accountOf(connected)).to.deep.equal(ADA);
    const [created] = await setup.webhooks();
    expect(created).to.deep.include({ operation: 'creation', success: true, provider_account: ADA });
    for (const path of ['/connections', `/connections/${connected.connectionId}?provider_config_key=${setup.key}`]) {
      const { text } = await setup.app.api.get(path);
      expect(text, path).to.not.include(ADA.id).and.not.include(ADA.email);
    }
  });

  it('is shown to the window that has connected it', async () => {
    setup.respond({ user: ADA });
    const flow = await beginWindowFlow(setup.app, { key: setup.key });
    expect((await finish(await returnFromLaunch(setup.app, flow))).status).to.equal(200);
    expect(await flow.read()).to.deep.include({ state: 'succeeded', account: { name: ADA.name, email: ADA.email } });
  });

  it('is requested with the new credentials', async () => {
    setup.respond({ user: ADA });
    const connected = await setup.connect();
    const [call] = setup.provider.ledger.of('api');
    expect(call).to.include({ method: 'GET', target: '/api/account' });
    const { access_token: token } = await setup.credentialsOf(connected);
    expect(call?.headers.authorization).to.equal(`Bearer ${token}`);
  });

  it('stays through a refresh, and is in the webhooks of refreshes and of the deletion', async () => {
    setup.respond({ user: ADA });
    const connected = await setup.connect();
    const { key, connectionId } = connected;
    await setup.app.api.get(`/connections/${connectionId}?provider_config_key=${key}&force_refresh=true`);
    setup.provider.grants.revoke(0);
    await setup.app.api.get(`/connections/${connectionId}?provider_config_key=${key}&force_refresh=true`);
    expect(await setup.accountOf(connected)).to.deep.equal(ADA);
    mustBe(200, await setup.app.api.delete(`/connections/${connectionId}?provider_config_key=${key}`));
    const told = (await setup.webhooks()).map(({ operation, provider_account }) => [operation, provider_account]);
    expect(told).to.deep.equal([
      ['creation', ADA],
      ['refresh', ADA],
      ['deletion', ADA],
    ]);
  });

  it('is in the webhook of a connection that is deleted with its integration', async () => {
    setup.respond({ user: ADA });
    await setup.connect();
    mustBe(200, await setup.app.api.delete(`/integrations/${setup.key}`));
    const [integration] = await setup.app.database.db('integrations').whereNotNull('deleted_at');
    const erasure = { environmentId: 1, integrationId: integration.id };
    await eraseMarked(setup.app.services, erasure, AbortSignal.timeout(20_000));
    expect((await setup.webhooks()).at(-1)).to.deep.include({ operation: 'deletion', provider_account: ADA });
  });

  it('is found by its name and e-mail address, the present ones only', async () => {
    setup.respond({ user: ADA });
    const connected = await setup.connect();
    const found = async (search: string) => (await setup.app.api.get(`/connections?search=${search}`)).body.connections.length;
    expect([await found('ada'), await found('example.com'), await found('eve')]).to.deep.equal([1, 1, 0]);
    setup.respond({ user: EVE });
    mustBe(200, await setup.reconnect(connected, { allow_account_change: true }));
    expect([await found('ada'), await found('eve')]).to.deep.equal([0, 1]);
  });

  it('is encrypted in the database, except the words by which it is found', async () => {
    setup.respond({ user: ADA });
    const connected = await setup.connect();
    // The sweep at the end must not find the picture in plain text, which would prove nothing if the account were not stored at
    // all.
    const { provider_account: stored } = await storedConnection(setup.app.database.db, connected);
    expect(stored).to.be.instanceOf(Buffer);
  });

  it('is requested for an import, too, which may change it', async () => {
    setup.respond({ user: ADA });
    const connected = await setup.connect();
    setup.respond({ user: EVE });
    const credentials = { type: 'OAUTH2', access_token: canary('imported token') };
    const { key: provider_config_key, connectionId: connection_id } = connected;
    mustBe(200, await setup.app.api.post('/connections', { provider_config_key, connection_id, credentials }));
    expect(await setup.accountOf(connected)).to.deep.equal(EVE);
  });

  for (const [does, behaviour] of Object.entries(SILENT)) {
    it(`is unknown, but the connection is created, if the response ${does}`, async () => {
      setup.provider.next('api', behaviour);
      const connected = await setup.connect();
      expect(await setup.accountOf(connected)).to.equal(null);
      expect((await setup.webhooks())[0]).to.deep.include({ success: true, provider_account: null });
      expect(await warnings()).to.deep.equal(['the provider account could not be identified']);
    });
  }

  async function warnings(): Promise<string[]> {
    await setup.app.services.activity.flush();
    const rows: { messages: { level: string; message: string; facts: Record<string, unknown> }[] }[] = await setup.app.database
      .db('operation_log')
      .select('messages');
    const said = rows.flatMap(({ messages }) => withoutCalls(messages));
    return said.filter(({ level }) => level === 'warn').map(({ message }) => message);
  }
});

describe('a connection that is authorized again with another account', function () {
  const setup = useEach(this, () => AccountInstallation.open());
  let connected: Connected;

  beforeEach(async () => {
    setup.respond({ user: ADA });
    connected = await setup.connect();
  });

  it('is refused, and nothing changes', async () => {
    const before = await storedConnection(setup.app.database.db, connected);
    setup.respond({ user: EVE });
    const page = await setup.reconnect(connected);
    expect(page.status).to.equal(400);
    expect(wordsOf(page)).to.match(/^Not connected again This is a different Accounts account from the one connected before/);
    expect(await storedConnection(setup.app.database.db, connected)).to.deep.equal(before);
    setup.provider.always('api', {});
    expect((await throughProxy(setup.app, connected, { path: '/me' })).status).to.equal(200);

    const told = (await setup.webhooks()).at(-1);
    expect(told).to.deep.include({ operation: 'override', success: false, provider_account: ADA });
    expect(told.error.type).to.equal('wrong_account');
  });

  it('is not refused where the session allows it', async () => {
    setup.respond({ user: EVE });
    mustBe(200, await setup.reconnect(connected, { allow_account_change: true }));
    expect(await setup.accountOf(connected)).to.deep.equal(EVE);
    expect((await setup.webhooks()).at(-1)).to.deep.include({ operation: 'override', success: true, provider_account: EVE });
  });

  it('is not refused when the same account has another name', async () => {
    setup.respond({ user: { ...ADA, name: 'Ada King' } });
    mustBe(200, await setup.reconnect(connected));
    expect(await setup.accountOf(connected)).to.deep.equal({ ...ADA, name: 'Ada King' });
  });

  it('is not refused when the provider names no account, which is then unknown', async () => {
    setup.respond({}, 500);
    mustBe(200, await setup.reconnect(connected));
    expect(await setup.accountOf(connected)).to.equal(null);
    setup.respond({ user: EVE });
    mustBe(200, await setup.reconnect(connected));
    expect(await setup.accountOf(connected)).to.deep.equal(EVE);
  });

  it('is refused when the account was changed while the user was at the provider', async () => {
    setup.respond({ user: EVE });
    const barrier = setup.provider.barrier('token');
    const late = setup.reconnect(connected, { allow_account_change: false });
    await barrier.arrived();
    const credentials = { type: 'OAUTH2', access_token: canary('imported token') };
    const { key: provider_config_key, connectionId: connection_id } = connected;
    mustBe(200, await setup.app.api.post('/connections', { provider_config_key, connection_id, credentials }));
    setup.respond({ user: ADA });
    barrier.open();
    expect((await late).status).to.equal(400);
    expect(await setup.accountOf(connected)).to.deep.equal(EVE);
  });

  it('may have allow_account_change in a reconnect session only', async () => {
    const response = await setup.app.api.post('/connect/sessions', { allow_account_change: true });
    expect([response.status, response.body.error.code]).to.deep.equal([400, 'invalid_body']);
  });
});

describe('a refresh token that a new authorization does not bring', function () {
  const setup = useEach(this, () => AccountInstallation.open());
  let connected: Connected;

  beforeEach(async () => {
    setup.respond({ user: ADA });
    connected = await setup.connect();
    setup.provider.always('token', WITHOUT_REFRESH_TOKEN);
  });

  it('is kept for the same account, and can be used to refresh', async () => {
    const before = await setup.credentialsOf(connected);
    const page = await setup.reconnect(connected);
    expect(page.text).to.not.contain('You may be asked to connect again.');
    const after = await setup.credentialsOf(connected);
    expect(after.refresh_token).to.equal(before.refresh_token);
    expect(after.access_token).to.not.equal(before.access_token);
    expect((await setup.webhooks()).at(-1)).to.not.have.property('warning');
    setup.provider.always('token', {});
    const { key, connectionId } = connected;
    const renewed = await setup.app.api.get(`/connections/${connectionId}?provider_config_key=${key}&force_refresh=strict`);
    expect(renewed.status, renewed.text).to.equal(200);
  });

  for (const [what, user, session] of [
    ['another account', EVE, { allow_account_change: true }],
    ['an unknown account', undefined, {}],
  ] as const) {
    it(`is dropped for ${what}, with a warning`, async () => {
      setup.respond({ user });
      const page = await setup.reconnect(connected, session);
      expect(page.text).to.contain('You may be asked to connect again.');
      expect(await setup.credentialsOf(connected)).to.not.have.property('refresh_token');
      const { warning } = (await setup.webhooks()).at(-1);
      expect(warning).to.include({ type: 'no_refresh_token' });
      expect(warning.description).to.match(/, because it may belong to another account\.$/);
    });
  }

  it('is dropped if the provider has rejected it before', async () => {
    setup.provider.grants.revoke(0);
    setup.provider.always('token', {});
    const { key, connectionId } = connected;
    await setup.app.api.get(`/connections/${connectionId}?provider_config_key=${key}&force_refresh=true`);
    setup.provider.always('token', WITHOUT_REFRESH_TOKEN);
    const page = await setup.reconnect(connected);
    expect(page.text).to.contain('You may be asked to connect again.');
    expect(await setup.credentialsOf(connected)).to.not.have.property('refresh_token');
  });
});

describe('the account that a plugin names', function () {
  const plugin = `
    import type { ProviderPlugin } from '#contract';
    export default {
      contract: 1,
      connection: {
        identify: async ({ fetch, tokens, connection }) => {
          const headers = { authorization: 'Bearer ' + tokens.accessToken };
          const response = await fetch('ADDRESS', { headers });
          const { id } = (await response.json()) as { id: string };
          if (id === 'fault') throw new Error('the token was ' + tokens.accessToken);
          return id === 'odd' ? ({ id: 7.5, name: ['Ada'] } as never) : { id, name: 'by the plugin' };
        },
      },
    } satisfies ProviderPlugin;`;

  const setup = useEach(this, async () => {
    const asked = await startFakeProvider({ openApi: true });
    const installation = await AccountInstallation.open({ plugin: plugin.replace('ADDRESS', `${asked.url}/api/who`) });
    const opened = new AsyncDisposableStack();
    opened.use(asked);
    opened.use(installation);
    return { asked, installation, [Symbol.asyncDispose]: () => opened.disposeAsync() };
  });

  for (const [id, account] of [
    ['account-7', { id: 'account-7', name: 'by the plugin' }],
    ['odd', null],
    ['fault', null],
    ['a\nb', null],
  ] as const) {
    it(`takes precedence over that of the definition, and is checked in the same way: ${JSON.stringify(id)}`, async () => {
      setup.asked.always('api', { response: { status: 200, body: JSON.stringify({ id }) } });
      setup.installation.respond({ user: EVE });
      const connected = await setup.installation.connect();
      expect(await setup.installation.accountOf(connected)).to.deep.equal(account);
      expect(setup.installation.provider.ledger.of('api')).to.deep.equal([]);
    });
  }
});
