import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { type Connected, createSession, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { refreshDue } from '../support/due-work.ts';
import { makeFolders } from '../support/folders.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { type LoopbackServer, serve } from '../support/loopback-server.ts';
import { use } from '../support/use.ts';

const HOUR_MS = 3_600_000;

const PLUGIN = `
import { isObject, PluginError, type ProviderPlugin } from '#contract';

export default {
  contract: 1,
  auth: {
    async authenticate(ctx, form) {
      const { server } = ctx.integrationConfig;
      const body = JSON.stringify({ ...form, site: ctx.connection.connectionConfig['site'] });
      const response = await ctx.fetch(server + '/exchange', { method: 'POST', body });
      if (response.status === 401) throw new PluginError('invalid_credentials', 'This password was used before: make another.');
      if (response.status === 503) throw new PluginError('provider_unavailable', 'Acme is away until noon.');
      const raw: unknown = await response.json();
      if (!isObject(raw)) throw new TypeError('no object for ' + JSON.stringify(form));
      const { token, seconds } = raw as { token: string; seconds: number };
      return { accessToken: token, expiresAt: new Date(ctx.now.getTime() + seconds * 1000), raw };
    },
  },
} satisfies ProviderPlugin;
`;

const COMMON = {
  display_name: 'Exchanging',
  docs: 'https://docs.example.com',
  plugin: 'exchanging',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  connection_config: { site: { type: 'string', title: 'Site', optional: true } },
  proxy: { base_url: '${integrationConfig.server}/api', verification: { endpoints: ['/me'] } },
};
const SIGN_IN = {
  token_url: '${integrationConfig.server}/unused',
  token_response: { token: 'token' },
  credentials: {
    login: { type: 'string', title: 'Login' },
    password: { type: 'string', title: 'Password', secret: true },
    realm: { type: 'string', title: 'Realm', default_value: 'main', hidden: true },
  },
};

const MODES = {
  API_KEY: { key: 'exchanging', path: '/api-auth/api-key', body: (secret: string) => ({ apiKey: secret }), sent: {} },
  BASIC: {
    key: 'exchanging-basic',
    path: '/api-auth/basic',
    body: (password: string) => ({ username: 'ada', password }),
    sent: { username: 'ada' },
  },
  TWO_STEP: {
    key: 'exchanging-session',
    path: '/auth/two-step',
    body: (password: string) => ({ type: 'TWO_STEP', login: 'ada', password }),
    sent: { login: 'ada', realm: 'main' },
  },
} as const;

/** A provider that exchanges any secret for a token and accepts only the latest token at its API. */
class Exchange {
  readonly forms: Record<string, string>[] = [];
  readonly issued: string[] = [];
  /** Statuses or bodies that the provider sends instead of its next responses. */
  readonly instead: (number | string)[] = [];

  start(): Promise<LoopbackServer> {
    return serve(async (request, response) => {
      const body = await text(request);
      const isCall = request.url !== '/exchange';
      const next = isCall ? undefined : this.instead.shift();
      if (!isCall) this.forms.push(JSON.parse(body));
      const status = isCall ? this.#statusOf(request.headers.authorization) : typeof next === 'number' ? next : 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof next === 'string' ? next : JSON.stringify(isCall ? {} : this.#issue()));
    });
  }

  #issue(): object {
    const token = canary('exchanged token');
    this.issued.push(token);
    return { token, seconds: HOUR_MS / 1000 };
  }

  #statusOf(authorization = ''): number {
    const [scheme, value = ''] = authorization.split(' ');
    const token = scheme === 'Basic' ? Buffer.from(value, 'base64').toString().split(':')[1] : value;
    return token === this.issued.at(-1) ? 200 : 401;
  }
}

describe('a secret that a user enters and a plugin exchanges', function () {
  this.timeout(60_000);
  const provider = new Exchange();
  const server = use(this, () => provider.start());
  const definition = (members: object) => JSON.stringify({ ...COMMON, ...members });
  const folders = use(this, () =>
    makeFolders({
      'exchanging/plugin.ts': PLUGIN,
      'exchanging/provider.json': definition({ auth_mode: 'API_KEY' }),
      'exchanging-basic/provider.json': definition({ auth_mode: 'BASIC' }),
      'exchanging-session/provider.json': definition({ auth_mode: 'TWO_STEP', ...SIGN_IN }),
      'exchanging-digest/provider.json': definition({ auth_mode: 'SIGNATURE', signature: { protocol: 'WSSE' } }),
    }),
  );
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path, SVC_PLUGINS_DIR: folders.path } }));

  before(async () => {
    for (const unique_key of ['exchanging', 'exchanging-basic', 'exchanging-session']) {
      const body = { unique_key, provider: unique_key, integration_config: { server: server.url } };
      mustBe(200, await app.api.post('/integrations', body));
    }
  });
  beforeEach(() => {
    for (const list of [provider.forms, provider.issued, provider.instead]) list.splice(0);
  });

  async function enter(path: string, key: string, body: object): Promise<ClientResponse> {
    const query = new URLSearchParams({ connect_session_token: await createSession(app), 'params[site]': 'north' });
    return app.client().post(`${path}/${key}?${query}`, body);
  }

  async function connect({ path, key, body }: (typeof MODES)[keyof typeof MODES], secret: string): Promise<Connected> {
    const response = await enter(path, key, body(secret));
    mustBe(200, response);
    return { connectionId: response.body.connectionId, key };
  }

  const stored = () => app.database.db('connections').count();

  for (const [type, mode] of Object.entries(MODES)) {
    describe(`in the mode ${type}`, () => {
      it('is stored as the credentials that it was exchanged for, after their verification', async () => {
        const secret = canary('entered secret');
        const connected = await connect(mode, secret);
        expect(provider.forms).to.deep.equal([
          { ...mode.sent, site: 'north', [type === 'API_KEY' ? 'apiKey' : 'password']: secret },
        ]);
        const { body } = await readConnection(app, connected);
        expect(Object.values(body.credentials)).to.include(provider.issued[0]).and.to.not.include(secret);
        expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
      });

      for (const [status, code, message] of [
        [401, 'connection_test_failed', 'This password was used before: make another.'],
        [503, 'provider_unavailable', 'Acme is away until noon.'],
      ] as const) {
        it(`is refused in the words of the plugin (${status}), and nothing is stored`, async () => {
          const before = await stored();
          provider.instead.push(status);
          const { body } = await enter(mode.path, mode.key, mode.body(canary('refused secret')));
          // Forms show the message in these details instead of a general text.
          expect(body.error).to.deep.equal({ code, message, errors: [{ code: 'custom', message, path: [] }] });
          expect(await stored()).to.deep.equal(before);
        });
      }

      it('is never revealed by a plugin that fails', async () => {
        const before = await stored();
        const secret = canary('secret of a bug');
        provider.instead.push('[]');
        const { status, text: told } = await enter(mode.path, mode.key, mode.body(secret));
        expect([status, told.includes(secret)]).to.deep.equal([500, false]);
        provider.instead.push('{"token": 1, "seconds": 1}');
        const wrong = await enter(mode.path, mode.key, mode.body(secret));
        expect(wrong.body.error.message).to.match(/auth\.authenticate of \S+ returned no TokenSet: accessToken must be/);
        expect(app.logLines.join()).to.contain('a plugin failed').and.to.not.contain(secret);
        expect(await stored()).to.deep.equal(before);
      });
    });
  }

  it('is exchanged again when the token expires, where the mode stores it', async () => {
    const secret = canary('entered secret');
    const connected = await connect(MODES.TWO_STEP, secret);
    const first = provider.issued[0];
    await app.clock.advance(HOUR_MS, app.database.db);
    await refreshDue(app.services);
    expect(provider.forms.map(({ password }) => password)).to.deep.equal([secret, secret]);
    const { body } = await readConnection(app, connected);
    expect(body.credentials.token).to.equal(provider.issued[1]).and.to.not.equal(first);
  });

  it('needs the user when it is refused at a refresh, and waits while the provider cannot be reached', async () => {
    const connected = await connect(MODES.TWO_STEP, canary('entered secret'));
    provider.instead.push(503);
    const away = await readConnection(app, connected, '&force_refresh=strict');
    expect([away.status, away.body.error.code]).to.deep.equal([503, 'provider_unavailable']);
    provider.instead.push(401);
    const refused = await readConnection(app, connected, '&force_refresh=strict');
    expect([refused.status, refused.body.error.code]).to.deep.equal([424, 'invalid_credentials']);
  });

  it('is not expected in imports, which bring the issued credentials', async () => {
    provider.issued.push(canary('imported key'));
    const credentials = { type: 'API_KEY', apiKey: provider.issued[0] };
    mustBe(200, await app.api.post('/connections', { provider_config_key: 'exchanging', credentials }));
    expect(provider.forms).to.deep.equal([]);
  });

  it('is impossible for a provider whose mode never calls the plugin', async () => {
    const body = { unique_key: 'exchanging-digest', provider: 'exchanging-digest', integration_config: { server: server.url } };
    const { status, body: told } = await app.api.post('/integrations', body);
    expect(status).to.equal(400);
    expect(told.error.message).to.include('auth.authenticate, which SIGNATURE never calls for this definition');
  });
});
