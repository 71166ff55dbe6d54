import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { connectionsOf, logOf, wordsOf } from '../support/authorization.ts';
import { connectUrl, createReconnectSession, createSession, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { appHostDefinitions, startFakeAppHost } from '../support/fake-app-host.ts';
import { makeFolders } from '../support/folders.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';
import { type Page, WebWalker } from '../support/web-walker.ts';

/** The keys of two integrations: one whose users only prove who they are, and one that also gets tokens of its users. */
const PROVEN = 'proven';
const WITH_USER = 'with-user';
const ALL = [PROVEN, WITH_USER];

const NO_CONNECTION =
  /Nothing was connected|nothing was connected|not connected|nothing is connected|problem|refused|no usable response/;

describe('an app that users install', function () {
  this.timeout(30_000);
  const host = use(this, startFakeAppHost);
  const folders = use(this, () => makeFolders(appHostDefinitions()));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  before(async () => {
    await integrate(PROVEN, 'host-app', host.app);
    await integrate(WITH_USER, 'host-user', host.app);
  });
  beforeEach(() => {
    host.setupUrl = `${app.url}/oauth/callback`;
    host.asksUsers = true;
    for (const endpoint of ['install', 'installations', 'installation-token', 'user-token'] as const) host.always(endpoint, {});
  });

  async function integrate(key: string, provider: string, credentials: object, link = `${host.url}/apps/ours`): Promise<void> {
    const response = await app.api.post('/integrations', {
      unique_key: key,
      provider,
      credentials: { ...credentials, app_link: link },
      integration_config: { server: host.url },
    });
    mustBe(200, response);
  }

  function isCallback(url: string): boolean {
    return url.startsWith(`${app.url}/oauth/callback`) || url.startsWith(`${app.url}/app-auth/connect`);
  }

  /** Installs the app at the provider, and stops before the callback. */
  async function install(key: string, members: Readonly<Record<string, unknown>> = {}, session?: string) {
    const walker = new WebWalker();
    const token = session ?? (await createSession(app, { allowed_integrations: [key] }));
    host.next('install', { members });
    const back = await walker.follow(connectUrl(app, { key, token }), isCallback);
    if (!('stoppedAt' in back)) throw new Error(`the provider did not send the browser back: ${back.status} ${back.text}`);
    return { walker, callback: back.stoppedAt, token };
  }

  async function finish({ walker, callback }: { readonly walker: WebWalker; readonly callback: string }): Promise<Page> {
    return walker.visit(callback);
  }

  async function connect(key: string, members: Readonly<Record<string, unknown>> = {}) {
    const before = await connectionsOf(app);
    mustBe(200, await finish(await install(key, members)));
    const [first] = await connectionsOf(app);
    expect(await connectionsOf(app)).to.have.length(before.length + 1);
    return { connectionId: String(first?.connection_id), key };
  }

  /** Asserts that an attempt to connect fails and stores nothing. @returns the page that the user sees */
  async function rejected(key: string, members: Readonly<Record<string, unknown>>): Promise<Page> {
    const before = await connectionsOf(app);
    const page = await finish(await install(key, members));
    expect(page.status, page.text).to.equal(400);
    expect(wordsOf(page)).to.match(NO_CONNECTION);
    expect(await connectionsOf(app)).to.have.length(before.length);
    return page;
  }

  for (const key of ALL) {
    describe(`of the integration "${key}"`, () => {
      it('is installed from its own page, which gets the state and nothing else', async () => {
        const token = await createSession(app);
        const { headers } = await new WebWalker().visit(connectUrl(app, { key, token }));
        const location = new URL(headers.get('location') ?? '');
        expect(location.origin + location.pathname).to.equal(`${host.url}/apps/ours/installations/new`);
        expect([...location.searchParams.keys()]).to.deep.equal(['state']);
      });

      for (const setup_action of ['install', 'update']) {
        it(`makes a connection after "${setup_action}"`, async () => {
          const connected = await connect(key, { setup_action });
          const { body } = await readConnection(app, connected);
          const id = String(host.users.at(-1)?.installations[0]);
          expect(body.connection_config).to.deep.equal({ installation_id: id });
          const token = host.installationTokens.at(-1);
          if (key !== WITH_USER) expect(body.credentials).to.include({ type: 'APP', access_token: token });
          else expect(body.credentials.raw.app).to.include({ installation_id: id, access_token: token });
        });
      }

      it('returns to either callback address', async () => {
        host.setupUrl = `${app.url}/app-auth/connect`;
        await connect(key);
      });

      it('stores nothing when an owner must approve it first, and says so', async () => {
        const page = await rejected(key, { setup_action: 'request', installation_id: undefined, code: undefined });
        expect(wordsOf(page)).to.include('An owner has to approve');
        const { body } = await logOf(app, page);
        expect(body.data).to.include({ status: 'failure', operation: 'creation', provider_config_key: key });
      });

      for (const installation_id of [undefined, '', 'abc', '../1', '1'.repeat(300)]) {
        it(`accepts no installation with the ID ${installation_id?.slice(0, 20)}`, async () => {
          await rejected(key, { installation_id });
        });
      }

      it('accepts no installation of another app', async () => {
        const page = await rejected(key, { installation_id: 999_999 });
        expect(wordsOf(page)).to.include('is not one of yours');
      });

      it('connects in the browser that began and in no other, and only once', async () => {
        const back = await install(key);
        const before = await connectionsOf(app);
        const other = await finish({ ...back, walker: new WebWalker() });
        expect(other.status).to.equal(400);
        expect(await connectionsOf(app)).to.have.length(before.length);
        mustBe(200, await finish(back));
        expect((await finish({ ...back, walker: new WebWalker() })).status).to.equal(400);
        mustBe(200, await finish(back));
        expect(await connectionsOf(app)).to.have.length(before.length + 1);
      });

      it('gives an existing connection new credentials', async () => {
        const connected = await connect(key);
        const token = await createReconnectSession(app, connected);
        mustBe(200, await finish(await install(key, {}, token)));
        const { body } = await readConnection(app, connected);
        expect(body.connection_config).to.deep.equal({ installation_id: String(host.users.at(-1)?.installations[0]) });
      });

      for (const ended of ['removed', 'suspended'] as const) {
        it(`needs the user once its installation is ${ended}`, async () => {
          const connected = await connect(key);
          mustBe(200, await readConnection(app, connected, '&force_refresh=strict'));
          const spent = host.ledger.of('user-token').length;
          host[ended].add(Number(host.users.at(-1)?.installations[0]));
          expectError(await readConnection(app, connected, '&force_refresh=strict'), 'invalid_credentials');
          // The service sees that the installation has ended before it requests a user token, which would have used up the
          // refresh token.
          expect(host.ledger.of('user-token')).to.have.length(spent);
        });
      }
    });
  }

  for (const key of ALL) {
    describe(`of the integration "${key}", whose users prove themselves`, () => {
      it('accepts no installation of another user', async () => {
        const [victim] = host.addUser(1).installations;
        const page = await rejected(key, { installation_id: victim });
        expect(wordsOf(page)).to.include('is not one of yours');
        const { body } = await logOf(app, page);
        expect(JSON.stringify(body.data.messages)).to.include('does not belong to the user');
      });

      it('accepts no installation without a code, or with the code of another attempt', async () => {
        await rejected(key, { code: undefined });
        const user = host.addUser(1);
        const code = host.codeFor(user);
        mustBe(200, await finish(await install(key, { code, installation_id: user.installations[0] })));
        await rejected(key, { code, installation_id: user.installations[0] });
      });

      it('is found on any page of the user’s installations', async () => {
        const user = host.addUser(5);
        await connect(key, { code: host.codeFor(user), installation_id: user.installations[4] });
      });

      it('sends the user’s token to no other host for a further page', async () => {
        const evil = { link: '<https://evil.example/user/installations>; rel="next"', 'content-type': 'application/json' };
        host.next('installations', { response: { status: 200, headers: evil, body: '{"installations":[]}' } });
        expect(wordsOf(await rejected(key, {}))).to.include('is not one of yours');
      });

      for (const [status, body, says] of [
        [500, '{}', 'no usable response'],
        [403, '{}', 'refused to finish'],
        [200, 'no list', 'refused to finish'],
      ] as const) {
        it(`stores nothing when the list of installations is ${status} ${body}`, async () => {
          host.next('installations', { response: { status, body } });
          expect(wordsOf(await rejected(key, {}))).to.include(says);
        });
      }
    });
  }

  it('is not installed without a client secret, since nothing proves whose an installation is', async () => {
    const { app_id, private_key } = host.app;
    await integrate('unproven', 'host-app', { app_id, private_key });
    const page = await app.client().get(`/oauth/connect/unproven?connect_session_token=${await createSession(app)}`);
    expectError(page, 'missing_client_id');
    expect(page.text).to.include('client_secret');
  });

  it('is not connected by a callback without a state, whose page says where to begin', async () => {
    for (const path of ['/oauth/callback', '/app-auth/connect']) {
      const page = await new WebWalker().visit(`${app.url}${path}?installation_id=1&setup_action=install&code=x`);
      expect(page.status).to.equal(400);
      expect(wordsOf(page)).to.include('Open that app, and connect there');
      const asked = await new WebWalker().visit(`${app.url}${path}?setup_action=request`);
      expect(wordsOf(asked)).to.include('An owner has to approve');
    }
  });

  it('cannot be installed without what its integration needs', async () => {
    const { app_id, private_key, client_id, client_secret } = host.app;
    const begin = async (key: string) =>
      app.client().get(`/oauth/connect/${key}?connect_session_token=${await createSession(app)}`);
    await integrate('without-key', 'host-app', { client_id, client_secret });
    expectError(await begin('without-key'), 'missing_client_id');
    await integrate('without-client', 'host-user', { app_id, private_key });
    expectError(await begin('without-client'), 'missing_client_id');
    const credentials = { app_id, private_key };
    const integration_config = { server: host.url };
    mustBe(
      200,
      await app.api.post('/integrations', { unique_key: 'no-link', provider: 'host-app', credentials, integration_config }),
    );
    expectError(await begin('no-link'), 'missing_client_id');
  });

  it('signs requests with the token that the definition names', async () => {
    for (const key of ALL) {
      const connected = await connect(key);
      const { body } = await throughProxy(app, connected, { path: '/me' });
      const expected = key === WITH_USER ? host.users.at(-1)?.accessToken : host.installationTokens.at(-1);
      expect(body.authorization).to.equal(`Bearer ${expected}`);
    }
  });

  describe('with a token of the user', () => {
    it('shows both tokens, and refresh tokens only if they are asked for', async () => {
      const connected = await connect(WITH_USER);
      const { credentials } = (await readConnection(app, connected)).body;
      expect(credentials).to.have.all.keys('type', 'raw');
      expect(credentials.type).to.equal('CUSTOM');
      expect(credentials.raw.user).to.include({ access_token: host.users.at(-1)?.accessToken });
      expect(JSON.stringify(credentials)).to.not.include(JSON.stringify(host.users.at(-1)?.refreshToken));
      const asked = (await readConnection(app, connected, '&refresh_token=true')).body.credentials;
      expect(asked.raw.user.refresh_token).to.equal(host.users.at(-1)?.refreshToken);
    });

    it('refreshes both before the first of them expires', async () => {
      const connected = await connect(WITH_USER);
      const before = (await readConnection(app, connected)).body.credentials.raw;
      await app.clock.advance(3_500_000, app.database.db);
      const after = (await readConnection(app, connected)).body.credentials.raw;
      expect(after.app.access_token).to.equal(host.installationTokens.at(-1)).and.not.equal(before.app.access_token);
      expect(after.user.access_token).to.equal(host.users.at(-1)?.accessToken).and.not.equal(before.user.access_token);
    });

    it('needs the user when the authorization was revoked', async () => {
      const connected = await connect(WITH_USER);
      Object.assign(host.users.at(-1) ?? {}, { refreshToken: '' });
      expectError(await readConnection(app, connected, '&force_refresh=strict'), 'invalid_credentials');
    });
  });
});
