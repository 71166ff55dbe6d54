import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import type { ClientAnswer } from '../support/http-client.ts';
import { type LoopbackServer, serve } from '../support/loopback-server.ts';
import {
  IMPORTED_MODES,
  type ImportedMode,
  importableOf,
  integrate,
  makeModeProviders,
  providerOfMode,
} from '../support/mode-providers.ts';
import { expectError } from '../support/std-error.ts';

type Members = Readonly<Record<string, unknown>>;

/** The members of each variant, and how long each may be. */
const VARIANTS: Readonly<Record<ImportedMode, { required: readonly string[]; optional?: readonly string[] }>> = {
  OAUTH1: { required: ['oauth_token', 'oauth_token_secret'] },
  OAUTH2: { required: ['access_token'], optional: ['refresh_token', 'expires_at', 'config_override'] },
  BASIC: { required: ['username', 'password'] },
  API_KEY: { required: ['apiKey'] },
  OAUTH2_CC: { required: ['client_id', 'client_secret', 'token'], optional: ['expires_at'] },
  NONE: { required: [] },
  TBA: { required: ['token_id', 'token_secret', 'config_override'] },
  APP: { required: ['app_id', 'installation_id'] },
};
const NOT_IMPORTED = ['JWT', 'APP_STORE', 'CUSTOM', 'BILL', 'TWO_STEP', 'SIGNATURE', 'oauth2', '', 'UNKNOWN'];

function without(members: Members, name: string): Members {
  return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));
}

describe('credentials that are imported', () => {
  const opened = new AsyncDisposableStack();
  let app: TestApp;
  let provider: LoopbackServer;
  let answers: { status: number; body?: object };
  let calls: { method: string; url: string; authorization: string | undefined }[];

  before(async () => {
    provider = opened.use(
      await serve(({ method = '', url = '', headers }, response) => {
        calls.push({ method, url, authorization: headers.authorization });
        response.writeHead(answers.status, { 'content-type': 'application/json' }).end(JSON.stringify(answers.body ?? {}));
      }),
    );
    const folders = opened.use(await makeModeProviders());
    app = opened.use(await startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));
    const config = { integration_config: { api_base_url: provider.url } };
    for (const mode of IMPORTED_MODES) if (mode !== 'APP') await integrate(app, providerOfMode(mode));
    for (const mode of ['BASIC', 'API_KEY', 'TBA'] as const) await integrate(app, `${providerOfMode(mode)}-verified`, config);
    await integrate(app, providerOfMode('APP'), { ...config, credentials: { client_id: '4711', client_secret: appKey() } });
  });

  beforeEach(() => {
    calls = [];
    answers = {
      status: 201,
      body: { token: canary('installation token'), expires_at: new Date(Date.now() + 3_600_000).toISOString() },
    };
  });

  after(() => opened.disposeAsync());

  const importInto = (key: string, credentials: unknown, more: object = {}): Promise<ClientAnswer> =>
    app.api.post('/connections', { provider_config_key: key, credentials, ...more });
  const put = (mode: ImportedMode, credentials: unknown) => importInto(providerOfMode(mode), credentials);

  for (const mode of IMPORTED_MODES) {
    const { required, optional = [] } = VARIANTS[mode];

    describe(`of the type ${mode}`, () => {
      it('are taken with every member', async () => {
        const { status, body, text } = await put(mode, importableOf(mode));
        expect(status, text).to.equal(200);
        expect(body.provider).to.equal(providerOfMode(mode));
      });

      it('are taken with what is required alone', async () => {
        const needed = Object.entries(importableOf(mode)).filter(([name]) => name === 'type' || required.includes(name));
        const { status, text } = await put(mode, Object.fromEntries(needed));
        expect(status, text).to.equal(200);
      });

      for (const name of ['type', ...required]) {
        it(`need ${name}`, async () => {
          expectError(await put(mode, without(importableOf(mode), name)), 'invalid_body', ['credentials', name]);
        });
      }

      for (const name of [...required, ...optional]) {
        for (const value of [null, 7, true, [], ['x'], { x: 'y' }]) {
          it(`refuse ${JSON.stringify(value)} as ${name}`, async () => {
            const answer = await put(mode, { ...importableOf(mode), [name]: value });
            expectError(answer, 'invalid_body');
            expect(answer.body.error.errors[0].path.slice(0, 2)).to.deep.equal(['credentials', name]);
          });
        }
      }

      for (const name of ['raw', 'scope', 'Type', 'apikey', 'credentials']) {
        it(`refuse a member ${name}`, async () => {
          expectError(await put(mode, { ...importableOf(mode), [name]: 'x' }), 'invalid_body', ['credentials', name]);
        });
      }

      it('refuse the members of another type', async () => {
        const other = mode === 'OAUTH1' ? 'OAUTH2' : 'OAUTH1';
        expectError(await put(mode, { ...importableOf(other), ...importableOf(mode) }), 'invalid_body');
      });

      it('are only taken by a provider of that type, and the refusal names both', async () => {
        const other = mode === 'BASIC' ? 'API_KEY' : 'BASIC';
        const answer = await importInto(providerOfMode(other), importableOf(mode));
        expectError(answer, 'invalid_body', ['credentials', 'type']);
        expect(answer.body.error.message).to.contain(` ${other}`).and.to.contain(` ${mode}`);
      });
    });
  }

  for (const type of [...NOT_IMPORTED, null, 7]) {
    it(`cannot be of the type ${JSON.stringify(type)}`, async () => {
      expectError(await put('OAUTH2', { ...importableOf('OAUTH2'), type }), 'invalid_body', ['credentials', 'type']);
    });
  }

  for (const credentials of [null, 'text', 7, [], [importableOf('OAUTH2')]]) {
    it(`cannot be ${JSON.stringify(credentials)?.slice(0, 10)}`, async () => {
      expectError(await put('OAUTH2', credentials), 'invalid_body');
    });
  }

  const days = [
    '2030-01-31T12:00:00Z',
    '2030-01-31T12:00:00.123Z',
    '2030-01-31T12:00:00+02:00',
    '2001-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ];
  for (const expires_at of days) {
    it(`may expire at ${expires_at}`, async () => {
      const { body } = await put('OAUTH2', { ...importableOf('OAUTH2'), expires_at });
      expect(body.credentials.expires_at).to.equal(new Date(expires_at).toISOString());
    });
  }

  for (const expires_at of [
    'tomorrow',
    '2030-01-31',
    '2030-02-30T12:00:00Z',
    '1893456000',
    'Thu, 31 Jan 2030 12:00:00 GMT',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '',
  ]) {
    it(`cannot expire at ${JSON.stringify(expires_at)}`, async () => {
      const answer = await put('OAUTH2_CC', { ...importableOf('OAUTH2_CC'), expires_at });
      expectError(answer, 'invalid_body', ['credentials', 'expires_at']);
    });
  }

  for (const mode of ['OAUTH2', 'TBA'] as const) {
    for (const name of ['client_id', 'client_secret']) {
      it(`of the type ${mode} may have no app without ${name}, and none with more`, async () => {
        const ownApp = importableOf(mode)['config_override'] as Members;
        const path = ['credentials', 'config_override'];
        const lacking = await put(mode, { ...importableOf(mode), config_override: without(ownApp, name) });
        expectError(lacking, 'invalid_body', [...path, name]);
        const more = await put(mode, { ...importableOf(mode), config_override: { ...ownApp, scopes: 'x' } });
        expectError(more, 'invalid_body', [...path, 'scopes']);
      });
    }
  }

  describe('are shown as they are stored', () => {
    it('without refresh tokens, the given members standing in for the provider’s answer', async () => {
      const given = importableOf('OAUTH2');
      const { body } = await put('OAUTH2', given);
      const { type: _type, refresh_token: _token, ...raw } = given;
      const { access_token, expires_at, config_override } = given;
      expect(body.credentials).to.deep.equal({ type: 'OAUTH2', access_token, expires_at, config_override, raw });
    });

    it('with the refresh token for a reader who asks for it', async () => {
      const given = importableOf('OAUTH2');
      const { body } = await put('OAUTH2', given);
      const query = `provider_config_key=${providerOfMode('OAUTH2')}&refresh_token=true`;
      const read = await app.api.get(`/connections/${body.connection_id}?${query}`);
      expect(read.body.credentials.refresh_token).to.equal(given['refresh_token']);
    });

    for (const mode of ['OAUTH1', 'OAUTH2_CC'] as const) {
      it(`with what was given as raw, of the type ${mode}`, async () => {
        const given = importableOf(mode);
        const { body } = await put(mode, given);
        const { type: _type, ...raw } = given;
        expect(body.credentials).to.deep.equal({ ...given, raw });
      });
    }

    for (const mode of ['BASIC', 'API_KEY', 'TBA'] as const) {
      it(`member by member, of the type ${mode}`, async () => {
        const given = importableOf(mode);
        expect((await put(mode, given)).body.credentials).to.deep.equal(given);
      });
    }

    it('as an empty object when there are none', async () => {
      expect((await put('NONE', importableOf('NONE'))).body.credentials).to.deep.equal({});
    });

    it('with the token that the app’s key brought', async () => {
      const { body } = await put('APP', importableOf('APP'));
      expect(body.credentials).to.have.all.keys('type', 'access_token', 'expires_at', 'raw');
      expect(body.credentials.raw).to.deep.equal({ app_id: '4711', installation_id: '42' });
      expect(calls.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(['POST /installations/42/token']);
    });
  });

  describe('are tried out first', () => {
    const count = async () => Number((await app.database.db('connections').count('* as n'))[0]?.['n']);
    const config = { connection_config: { accountId: '1234567' } };

    for (const mode of ['BASIC', 'API_KEY', 'TBA'] as const) {
      const key = `${providerOfMode(mode)}-verified`;

      it(`when they are of the type ${mode} and the provider says how`, async () => {
        const { status, text } = await importInto(key, importableOf(mode), config);
        expect(status, text).to.equal(200);
        expect(calls.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(['GET /me']);
        expect(calls[0]?.authorization).to.match(/^(Basic|Bearer|OAuth) /);
      });

      for (const status of [401, 403, 404]) {
        it(`and are not stored when the provider refuses a ${mode} with ${status}`, async () => {
          const before = await count();
          answers = { status };
          expectError(await importInto(key, importableOf(mode), config), 'connection_test_failed');
          expect(await count()).to.equal(before);
        });
      }

      it(`and a failing provider is no refusal of a ${mode}`, async () => {
        const before = await count();
        answers = { status: 500 };
        expectError(await importInto(key, importableOf(mode), config), 'provider_unavailable');
        expect(await count()).to.equal(before);
      });
    }

    it('and a refusal leaves what an existing connection had', async () => {
      const key = 'mode-basic-verified';
      const given = importableOf('BASIC');
      const { body } = await importInto(key, given, { connection_id: 'kept', tags: { a: '1' } });
      answers = { status: 401 };
      const refused = await importInto(key, importableOf('BASIC'), { connection_id: 'kept', tags: { a: '2' } });
      expectError(refused, 'connection_test_failed');
      const read = await app.api.get(`/connections/kept?provider_config_key=${key}`);
      expect(read.body).to.deep.include({ id: body.id, tags: { a: '1' }, credentials: given });
    });

    it('and a refusal is in the log', async () => {
      answers = { status: 401 };
      await importInto('mode-basic-verified', importableOf('BASIC'), { connection_id: 'refused' });
      await app.services.activity.flush();
      const rows = await app.database.db('operations').where({ connection_id: 'refused' });
      expect(rows).to.have.length(1);
      expect(rows[0]).to.include({ type: 'auth', operation: 'creation', status: 'failure' });
    });

    it('by the token of an installation, when they are an app’s', async () => {
      const before = await count();
      answers = { status: 404 };
      expectError(await put('APP', importableOf('APP')), 'connection_test_failed');
      answers = { status: 503 };
      expectError(await put('APP', importableOf('APP')), 'provider_unavailable');
      expect(await count()).to.equal(before);
    });
  });
});

function appKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
