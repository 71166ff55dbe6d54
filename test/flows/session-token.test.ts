import { expect } from 'chai';
import { newSessionToken } from '../../core/kit/random-id.ts';
import { startApp } from '../support/app.ts';
import { connectionsOf, enter, finish, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { connectUrl, createIntegration, createSession } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { readResponse } from '../support/http-client.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

const MINUTE_MS = 60_000;
const EXPIRED = /^(Not connected This window has expired|This attempt is over This window was used already, or has expired)\./;

/** A provider with a field that the connect form shows, a hidden one, and one that only the service fills in. */
const TENANTS = {
  display_name: 'Tenants',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.server}/authorize',
  token_url: '${integrationConfig.server}/token',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  connection_config: {
    tenant: { type: 'string', title: 'Tenant', pattern: '[a-z]+' },
    region: { type: 'string', title: 'Region', optional: true, hidden: true },
    site: { type: 'string', title: 'Site', optional: true, automated: true },
  },
};

describe('a connect session token (OAU-08)', function () {
  const provider = use(this, startFakeProvider);
  const folders = use(this, () => makeFolders({ 'tenants/provider.json': JSON.stringify(TENANTS) }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  before(async () => {
    await createIntegration(app, provider);
    await createIntegration(app, provider, { key: 'other' });
    const response = await app.api.post('/integrations', {
      unique_key: 'tenants',
      provider: 'tenants',
      credentials: { type: 'OAUTH2', client_id: provider.clientId, client_secret: provider.clientSecret },
      integration_config: { server: provider.url },
    });
    expect(response.status, response.text).to.equal(200);
  });

  async function expectEnded(token: string): Promise<void> {
    const page = await enter(app, { token });
    expect([page.status, page.headers.get('location')]).to.deep.equal([401, null]);
    expect(wordsOf(page)).to.match(EXPIRED);
    const { status, body } = await app.client(token).get('/connect/session');
    expect([status, body.error.code]).to.deep.equal([401, 'unknown_connect_session_token']);
  }

  describe('ends', () => {
    it('after 30 minutes, and not before', async () => {
      const token = await createSession(app);
      await app.clock.advance(30 * MINUTE_MS - 5_000);
      expect((await enter(app, { token })).status).to.equal(302);
      await app.clock.advance(5_000);
      await expectEnded(token);
    });

    it('with its first success', async () => {
      const token = await createSession(app);
      expect((await finish(await returnFromProvider(app, { token }))).status).to.equal(200);
      const page = await enter(app, { token });
      expect([page.status, page.headers.get('location'), page.headers.get('set-cookie')]).to.deep.equal([200, null, null]);
      expect(wordsOf(page)).to.match(/^Connected /);
      const { status, body } = await app.client(token).get('/connect/session');
      expect([status, body.error.code]).to.deep.equal([401, 'unknown_connect_session_token']);
    });

    it('when it is ended', async () => {
      const token = await createSession(app);
      const back = await returnFromProvider(app, { token });
      expect((await app.client(token).delete('/connect/session')).status).to.equal(204);
      await expectEnded(token);
      expect(wordsOf(await finish(back))).to.match(EXPIRED);
    });
  });

  describe('for a flow that has begun', () => {
    it('lets the flow end after the session has expired', async () => {
      const token = await createSession(app);
      await app.clock.advance(20 * MINUTE_MS);
      const back = await returnFromProvider(app, { token });
      await app.clock.advance(11 * MINUTE_MS);
      await expectEnded(token);
      expect((await finish(back)).status).to.equal(200);
    });

    it('lets one of two flows end, without a trace of the other', async () => {
      const token = await createSession(app);
      const before = (await connectionsOf(app)).length;
      const [first, second] = [await returnFromProvider(app, { token }), await returnFromProvider(app, { token })];
      expect((await finish(second)).status).to.equal(200);
      const calls = provider.ledger.of('token').length;
      const page = await finish(first);
      expect([page.status, provider.ledger.of('token').length]).to.deep.equal([400, calls]);
      expect(wordsOf(page)).to.match(EXPIRED);
      expect(await connectionsOf(app)).to.have.length(before + 1);
    });

    it('lets one of two flows end that return at the same time', async () => {
      const token = await createSession(app);
      const before = (await connectionsOf(app)).length;
      const flows = [await returnFromProvider(app, { token }), await returnFromProvider(app, { token })];
      const barrier = provider.barrier('token');
      const pages = Promise.all(flows.map((flow) => finish(flow)));
      await barrier.arrived(2);
      barrier.open();
      expect((await pages).map(({ status }) => status).sort()).to.deep.equal([200, 400]);
      provider.always('token', {});
      const [refused] = (await pages).filter(({ status }) => status === 400);
      expect(refused && wordsOf(refused)).to.match(EXPIRED);
      expect(await connectionsOf(app)).to.have.length(before + 1);
    });
  });

  describe('opens nothing else:', () => {
    it('no integration that the backend did not allow', async () => {
      const token = await createSession(app, { allowed_integrations: ['other'] });
      const page = await enter(app, { token, key: 'fake' });
      expect([page.status, page.headers.get('location')]).to.deep.equal([400, null]);
      const bare = await fetch(connectUrl(app, { token }), { redirect: 'manual' });
      expect((await readResponse(bare)).body.error.code).to.equal('integration_not_allowed');
      const { body } = await app.client(token).get('/integrations');
      expect(body.data.map(({ unique_key }: { unique_key: string }) => unique_key)).to.deep.equal(['other']);
    });

    const CLOSED: readonly (readonly [string, string])[] = [
      ['GET', '/connections'],
      ['GET', '/connections/x?provider_config_key=fake'],
      ['DELETE', '/connections/x?provider_config_key=fake'],
      ['POST', '/connect/sessions'],
      ['POST', '/connect/sessions/reconnect'],
      ['GET', '/integrations/fake'],
      ['POST', '/integrations'],
      ['GET', '/proxy/me'],
      ['GET', '/logs/00000000-0000-4000-8000-000000000000'],
    ];
    for (const [method, path] of CLOSED) {
      it(`not ${method} ${path}`, async () => {
        const response = await app.client(await createSession(app)).call(method, path);
        expect([response.status, response.body.error.code]).to.deep.equal([401, 'unknown_account']);
      });
    }
  });

  it('cannot be guessed indefinitely', async () => {
    await using guarded = await startApp({ env: { SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '20' } });
    const statuses = new Map<number, number>();
    for (let guess = 0; guess < 40; guess += 1) {
      const { status } = await enter(guarded, { token: newSessionToken() });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.get(429)).to.be.at.least(1);
    expect([...statuses.keys()].sort()).to.deep.equal([401, 429]);
  });

  it('is revealed to no provider, neither in a Referer nor in a parameter', async () => {
    const token = await createSession(app);
    await finish(await returnFromProvider(app, { token }));
    const received = provider.ledger.entries.map(({ target, rawHeaders, body }) =>
      [target, ...rawHeaders, String(body)].join(' '),
    );
    expect(received.filter((text) => text.includes(token))).to.deep.equal([]);
  });

  describe('and the parameters of a browser (OAU-09):', () => {
    const fixed = { tags: { team: 'a' }, integrations_config_defaults: { tenants: { connection_config: { tenant: 'ours' } } } };

    it('the backend’s value overrides the browser’s', async () => {
      const token = await createSession(app, fixed);
      const back = await returnFromProvider(app, { token, key: 'tenants', params: { tenant: 'theirs' } });
      expect((await finish(back)).status).to.equal(200);
      const [newest] = await connectionsOf(app);
      expect(newest).to.deep.include({ connection_config: { tenant: 'ours' }, tags: { team: 'a' } });
    });

    it('the names of preset fields are shown, their values are not', async () => {
      const { body, text } = await app.client(await createSession(app, fixed)).get('/connect/session');
      expect(body.data.integrations_config_defaults).to.deep.equal({ tenants: { connection_config: ['tenant'] } });
      expect(text).not.to.include('ours');
    });

    const FORBIDDEN: Readonly<Record<string, string>> = {
      'a hidden field': 'params[region]=eu',
      'an automated field': 'params[site]=https://evil.example',
      'an unknown field': 'params[x]=1',
      'a field of the integration': 'params[server]=https://evil.example',
      'a nested field': 'params[tenant][x]=1',
      'a list as a field': 'params[tenant][]=a&params[tenant][]=b',
      __proto__: 'params[__proto__]=1',
      tags: 'tags[team]=b',
      end_user: 'end_user[id]=1',
      'a connection ID': 'connection_id=mine',
      'a webhook address': 'webhook_url=https://evil.example',
      'a webhook override': 'webhook_url_override=https://evil.example',
      'a base URL': 'base_url=https://evil.example',
      'a redirect URI': 'redirect_uri=https://evil.example',
      'a state': 'state=mine',
      scopes: 'scope=admin',
      'authorization parameters': 'authorization_params[prompt]=none',
      'integration configuration': 'integration_config[server]=https://evil.example',
      credentials: 'credentials[client_id]=mine',
    };

    for (const [what, query] of Object.entries(FORBIDDEN)) {
      it(`${what} is refused`, async () => {
        const token = await createSession(app);
        const url = `${connectUrl(app, { token, key: 'tenants', params: { tenant: 'a' } })}&${query}`;
        const calls = provider.ledger.entries.length;
        const response = await new WebWalker().visit(url);
        expect([response.status, response.headers.get('location')]).to.deep.equal([400, null]);
        const bare = await fetch(url, { redirect: 'manual' });
        expect((await readResponse(bare)).body.error.code).to.equal('invalid_query_params');
        expect(provider.ledger.entries).to.have.length(calls);
      });
    }
  });
});
