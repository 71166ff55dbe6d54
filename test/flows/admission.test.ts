import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { connectionsOf, enter, finish, logOf, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { connectUrl, createSession, throughProxy } from '../support/connect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { readAnswer } from '../support/http-client.ts';

const COMMON = {
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.server}/authorize',
  token_url: '${integrationConfig.server}/token',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
};

const VERIFIED = {
  ...COMMON,
  display_name: 'Verified',
  connection_config: {
    account: { type: 'string', title: 'Account', pattern: '[a-z]{2,8}', example: 'acme' },
    plan: { type: 'string', title: 'Plan', default_value: 'free', enum: ['free', 'paid'] },
    note: { type: 'string', title: 'Note', optional: true },
  },
  proxy: {
    base_url: '${integrationConfig.server}/api',
    headers: { 'x-account': '${connectionConfig.account}', 'x-plan': '${connectionConfig.plan}' },
    verification: { endpoints: ['/me'] },
  },
};

/** Asks the provider in the connection's own words. */
const TEMPLATED = {
  ...COMMON,
  display_name: 'Templated',
  token_response_metadata: ['team'],
  connection_config: { account: { type: 'string', title: 'Account' } },
  proxy: {
    base_url: '${integrationConfig.server}/api',
    headers: { 'X-Account': 'general' },
    query: { version: '${connectionConfig.account}' },
    verification: {
      endpoints: ['/echo/${connectionConfig.account}?team=${connectionConfig.team}'],
      headers: { 'x-account': 'of ${connectionConfig.account}', 'X-Token': '${accessToken}' },
    },
  },
};

const FOUND = {
  ...COMMON,
  display_name: 'Found',
  connection_config: { site: { type: 'string', title: 'Site', automated: true } },
  proxy: { base_url: '${integrationConfig.server}/api' },
};

/** Looks the site up after the authorization, as plugins for suites of products do. */
const FOUND_PLUGIN = `
import { PluginError, type ProviderPlugin } from '#contract';

export default {
  contract: 1,
  connection: {
    afterAuthorization: async ({ fetch, tokens, integrationConfig, connection }) => {
      const headers = { authorization: \`Bearer \${tokens.accessToken}\` };
      const answer = await fetch(\`\${String(integrationConfig['server'])}/api/me\`, { headers });
      if (answer.status === 403) throw new PluginError('invalid_credentials', 'Your account <has> no site.');
      if (!answer.ok) throw new PluginError('provider_unavailable', 'The list of sites does not answer.');
      const { id } = (await answer.json()) as { id?: unknown };
      if (id === undefined) throw new TypeError('a bug of the plugin');
      return { site: \`\${String(id)}.example.com\`, tags: connection.tags };
    },
  },
} satisfies ProviderPlugin;
`;

const FILES = {
  'providers/verified/provider.json': JSON.stringify(VERIFIED),
  'providers/templated/provider.json': JSON.stringify(TEMPLATED),
  'plugins/found/provider.json': JSON.stringify(FOUND),
  'plugins/found/plugin.ts': FOUND_PLUGIN,
};

describe('what is asked before a connection is written', () => {
  let app: TestApp;
  let provider: FakeProvider;
  let opened: AsyncDisposableStack;

  before(async () => {
    opened = new AsyncDisposableStack();
    provider = opened.use(await startFakeProvider());
    const { path } = opened.use(await makeFolders(FILES));
    const env = { SVC_PROVIDERS_DIR: `${path}/providers`, SVC_PLUGINS_DIR: `${path}/plugins` };
    app = opened.use(await startApp({ env }));
    for (const key of ['verified', 'templated', 'found']) await createFor(key);
  });

  after(() => opened.disposeAsync());

  async function createFor(key: string): Promise<void> {
    const answer = await app.api.post('/integrations', {
      unique_key: key,
      provider: key,
      credentials: { type: 'OAUTH2', client_id: provider.clientId, client_secret: provider.clientSecret },
      integration_config: { server: provider.url },
    });
    expect(answer.status, answer.text).to.equal(200);
  }

  describe('by the provider’s verification call', () => {
    const params = { account: 'acme' };

    it('passes with the new token', async () => {
      const page = await finish(await returnFromProvider(app, { key: 'verified', params }));
      expect(page.status, page.text).to.equal(200);
      expect(provider.ledger.of('api').at(-1)?.presented).to.include({ kind: 'access' });
    });

    const REFUSALS: readonly (readonly [number, string])[] = [
      [401, 'Verified didn’t accept these details. Check them and try again.'],
      [403, 'Verified didn’t accept these details. Check them and try again.'],
      [404, 'Verified didn’t accept these details. Check them and try again.'],
      [429, 'We couldn’t reach Verified. Try again in a moment.'],
      [500, 'We couldn’t reach Verified. Try again in a moment.'],
    ];
    for (const [status, words] of REFUSALS) {
      it(`fails at a ${status}: nothing is written, and the session can be used again`, async () => {
        const token = await createSession(app);
        const before = (await connectionsOf(app)).length;
        const back = await returnFromProvider(app, { key: 'verified', token, params });
        provider.next('api', { answer: { status, body: 'the provider’s words' } });
        const page = await finish(back);
        expect(page.status).to.equal(400);
        expect(wordsOf(page)).to.include(words).and.not.to.include('the provider’s words');
        expect((await logOf(app, page)).body.data).to.include({ type: 'auth', status: 'failure' });
        expect(await connectionsOf(app)).to.have.length(before);
        expect((await finish(await returnFromProvider(app, { key: 'verified', token, params }))).status).to.equal(200);
      });
    }
  });

  describe('by a verification call that is made of templates', () => {
    const params = { account: 'acme' };

    it('passes with everything filled in, and what the API needs beside', async () => {
      provider.next('token', { members: { team: 'a/b' } });
      const page = await finish(await returnFromProvider(app, { key: 'templated', params }));
      expect(page.status, page.text).to.equal(200);
      const { target, headers, rawHeaders } = provider.ledger.of('api').at(-1) ?? expect.fail('nobody asked');
      expect(target).to.equal('/api/echo/acme?team=a%2Fb&version=acme');
      expect(headers['x-account']).to.equal('of acme');
      expect(`Bearer ${headers['x-token']}`).to.equal(headers.authorization);
      expect(rawHeaders.filter((name) => name.toLowerCase() === 'x-account')).to.have.length(1);
    });

    it('fails where a value is missing: the details are to be checked, nothing is said of a bug', async () => {
      const calls = provider.ledger.of('api').length;
      const page = await finish(await returnFromProvider(app, { key: 'templated', params }));
      expect(wordsOf(page)).to.include('Templated didn’t accept these details. Check them and try again.');
      expect((await logOf(app, page)).text).to.include('connectionConfig.team');
      expect(provider.ledger.of('api')).to.have.length(calls);
    });
  });

  describe('of the user, by the provider’s form', () => {
    const FAULTS: Readonly<Record<string, readonly [Record<string, string>, string]>> = {
      'nothing where something is required': [{}, 'Account is required'],
      'an empty text where something is required': [{ account: '' }, 'Account is required'],
      'a text of another form': [{ account: 'ACME!' }, 'Account has the wrong format. Example: acme'],
      'a text that only begins right': [{ account: 'acme/../x' }, 'Account has the wrong format. Example: acme'],
      'a choice that is none': [{ account: 'acme', plan: 'gold' }, 'Plan must be one of: free, paid'],
      'a text that is too long': [{ account: 'acme', note: 'x'.repeat(4_097) }, ''],
    };

    for (const [what, [params, message]] of Object.entries(FAULTS)) {
      it(`refuses ${what}, before anybody is sent anywhere`, async () => {
        const token = await createSession(app);
        const page = await enter(app, { key: 'verified', token, params });
        expect([page.status, page.headers.get('location')]).to.deep.equal([400, null]);
        expect(wordsOf(page)).to.include('Some details are missing or have the wrong form.').and.to.include(message);

        const bare = await fetch(connectUrl(app, { key: 'verified', token, params }), { redirect: 'manual' });
        const { error } = (await readAnswer(bare)).body;
        expect([bare.status, error.code]).to.deep.equal([400, 'invalid_query_params']);
        expect(error.errors[0].path[0]).to.equal('params');
      });
    }

    it('keeps what was given, and fills in the default where nothing was', async () => {
      const params = { account: 'acme', note: '' };
      expect((await finish(await returnFromProvider(app, { key: 'verified', params }))).status).to.equal(200);
      const [newest] = await connectionsOf(app);
      expect(newest).to.deep.include({ connection_config: { account: 'acme' } });
      await throughProxy(app, { connectionId: newest?.connection_id ?? '', key: 'verified' }, { path: '/echo' });
      expect(provider.ledger.of('api').at(-1)?.headers).to.include({ 'x-account': 'acme', 'x-plan': 'free' });
    });
  });

  describe('of the provider, by the plugin', () => {
    it('is stored with the connection', async () => {
      const token = await createSession(app, { tags: { team: 'a' } });
      const page = await finish(await returnFromProvider(app, { key: 'found', token }));
      expect(page.status, page.text).to.equal(200);
      const [newest] = await connectionsOf(app);
      expect(newest).to.deep.include({ connection_config: { site: 'user-1.example.com', tags: { team: 'a' } } });
    });

    const FAILURES: Readonly<Record<string, readonly [number, string]>> = {
      'in words for the user': [
        403,
        'Found didn’t accept these details. Check them and try again. Your account &lt;has&gt; no site.',
      ],
      'because the provider does not answer': [
        503,
        'We couldn’t reach Found. Try again in a moment. The list of sites does not answer.',
      ],
      'by a bug': [200, 'Something went wrong on our side.'],
    };
    for (const [how, [status, words]] of Object.entries(FAILURES)) {
      it(`fails ${how}, and nothing is written`, async () => {
        const before = (await connectionsOf(app)).length;
        const back = await returnFromProvider(app, { key: 'found' });
        provider.next('api', { answer: { status, headers: { 'content-type': 'application/json' }, body: '{}' } });
        const page = await finish(back);
        expect(page.status).to.equal(400);
        expect(wordsOf(page))
          .to.match(/^Not connected /)
          .and.to.include(words);
        expect((await logOf(app, page)).text)
          .not.to.match(/ at .*\.ts/)
          .and.not.to.include('a bug of the plugin');
        expect(await connectionsOf(app)).to.have.length(before);
      });
    }
  });
});
