import { join } from 'node:path';
import { expect } from 'chai';
import type { ConnectionRow } from '../../core/connections/connection-row.ts';
import { startApp } from '../support/app.ts';
import { connectionsOf, enter, finish, returnFromProvider } from '../support/authorization.ts';
import {
  type Connected,
  createIntegration,
  createReconnectSession,
  createSession,
  readConnection,
  reconnect,
} from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { use } from '../support/use.ts';

const KEY = 'fake';
const HOOK = 'https://hooks.example/a';
const ADA = { id: 'ada', email: 'ada@example.org', display_name: 'Ada', tags: { plan: 'pro' } };
const ACME = { id: 'acme', display_name: 'Acme' };

function preset(value: object): Record<string, unknown> {
  return { integrations_config_defaults: { [KEY]: value } };
}

describe('what a backend fixes with a connect session', function () {
  const provider = use(this, startFakeProvider);
  const folders = use(this, () => {
    const shared = { client_id: provider.clientId, client_secret: provider.clientSecret, scopes: ['fixed'] };
    return makeFolders({ 'shared.json': JSON.stringify({ 'generic-oauth': shared }) });
  });
  const app = use(this, () => startApp({ env: { SVC_SHARED_APPS_FILE: join(folders.path, 'shared.json') } }));

  before(() => createIntegration(app, provider));

  /** Begins an authorization. @returns the query parameters with which the browser is sent to the provider */
  async function authorizationUrl(token: string): Promise<URLSearchParams> {
    const page = await enter(app, { token });
    expect(page.status, page.text).to.equal(302);
    return new URL(page.headers.get('location') ?? '').searchParams;
  }

  async function connectWith(body: object): Promise<Connected> {
    const page = await finish(await returnFromProvider(app, { token: await createSession(app, { ...body }) }));
    expect(page.status, page.text).to.equal(200);
    const [newest] = await connectionsOf(app);
    return { connectionId: newest?.connection_id ?? '', key: KEY };
  }

  async function record(connected: Connected) {
    return (await readConnection(app, connected)).body;
  }

  async function row({ connectionId }: Connected): Promise<ConnectionRow | undefined> {
    return app.database.db<ConnectionRow>('connections').where({ connection_id: connectionId }).first();
  }

  describe('for the authorization', () => {
    it('adds parameters to the provider’s address', async () => {
      const token = await createSession(app, preset({ authorization_params: { prompt: 'consent', login_hint: 'a&b=c' } }));
      const query = await authorizationUrl(token);
      expect([query.get('prompt'), query.get('login_hint')]).to.deep.equal(['consent', 'a&b=c']);
    });

    it('cannot replace the parameters on which the safety of the flow rests', async () => {
      const own = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'];
      const params = Object.fromEntries([...own, 'request', 'request_uri'].map((name) => [name, 'theirs']));
      const query = await authorizationUrl(await createSession(app, preset({ authorization_params: params })));
      expect([...query.values()]).not.to.include('theirs');
      expect(query.get('response_type')).to.equal('code');
      expect(query.get('redirect_uri')).to.equal(`${app.url}/oauth/callback`);
      expect([...query.keys()]).to.include.members(own);
    });

    it('leaves other integrations alone', async () => {
      await createIntegration(app, provider, { key: 'other' });
      const token = await createSession(app, preset({ authorization_params: { prompt: 'consent' }, user_scopes: 'a' }));
      const page = await enter(app, { token, key: 'other' });
      const query = new URL(page.headers.get('location') ?? '').searchParams;
      expect([query.get('prompt'), query.get('user_scope')]).to.deep.equal([null, null]);
    });

    it('asks for scopes of the user', async () => {
      const query = await authorizationUrl(await createSession(app, preset({ user_scopes: 'chat:write,users:read' })));
      expect([query.get('user_scope'), query.get('scope')]).to.deep.equal(['chat:write,users:read', 'read write']);
    });

    it('asks for scopes in place of the integration’s, and again when the connection is authorized again', async () => {
      const body = preset({ connection_config: { oauth_scopes_override: 'one, two' } });
      expect((await authorizationUrl(await createSession(app, body))).get('scope')).to.equal('one two');
      const connected = await connectWith(body);
      expect((await record(connected)).connection_config).to.deep.equal({ oauth_scopes_override: 'one, two' });
      expect((await authorizationUrl(await createReconnectSession(app, connected))).get('scope')).to.equal('one two');
      const other = preset({ connection_config: { oauth_scopes_override: 'three' } });
      expect((await authorizationUrl(await createReconnectSession(app, connected, other))).get('scope')).to.equal('three');
    });

    it('cannot choose the scopes of a shared app', async () => {
      const response = await app.api.post('/integrations', {
        unique_key: 'shared',
        provider: 'generic-oauth',
        integration_config: {
          authorization_url: provider.authorizationUrl,
          token_url: provider.tokenUrl,
          api_base_url: `${provider.url}/api`,
        },
      });
      expect(response.status, response.text).to.equal(200);
      const input = {
        authorization_params: { scope: 'more', user_scope: 'more', prompt: 'consent' },
        user_scopes: 'more',
        connection_config: { oauth_scopes_override: 'more' },
      };
      const token = await createSession(app, { integrations_config_defaults: { shared: input } });
      const page = await enter(app, { token, key: 'shared' });
      const query = new URL(page.headers.get('location') ?? '').searchParams;
      expect(['scope', 'user_scope', 'prompt'].map((name) => query.get(name))).to.deep.equal(['fixed', null, 'consent']);
    });

    it('lets no browser choose scopes', async () => {
      const page = await enter(app, { token: await createSession(app), params: { oauth_scopes_override: 'admin' } });
      expect(page.status).to.equal(400);
    });
  });

  describe('for the connection', () => {
    it('is stored when the connection is created', async () => {
      const tags = { Team: 'a', end_user_id: 'other' };
      const input = { end_user: ADA, organization: ACME, tags, webhook_url_override: HOOK };
      const connected = await connectWith(input);
      const { end_user, tags: stored } = await record(connected);
      expect(end_user).to.deep.equal({ ...ADA, organization: ACME });
      expect(stored).to.deep.equal({
        team: 'a',
        end_user_id: 'other',
        end_user_email: 'ada@example.org',
        end_user_display_name: 'Ada',
        organization_id: 'acme',
        organization_display_name: 'Acme',
      });
      expect((await row(connected))?.webhook_url_override).to.equal(HOOK);
    });

    it('is empty when the session sets nothing', async () => {
      const connected = await connectWith({});
      const { end_user, tags } = await record(connected);
      expect([end_user, tags, (await row(connected))?.webhook_url_override]).to.deep.equal([null, {}, null]);
    });

    it('may be an organization alone', async () => {
      const { end_user, tags } = await record(await connectWith({ organization: { id: 'acme' } }));
      expect([end_user, tags]).to.deep.equal([null, { organization_id: 'acme' }]);
    });

    it('takes a webhook address out of the configuration', async () => {
      const connected = await connectWith(preset({ connection_config: { webhook_url: HOOK, region: 'eu' } }));
      expect((await row(connected))?.webhook_url_override).to.equal(HOOK);
      expect((await record(connected)).connection_config).to.deep.equal({ region: 'eu' });
    });

    it('prefers the webhook address that is not deprecated', async () => {
      const body = { ...preset({ connection_config: { webhook_url: HOOK } }), webhook_url_override: `${HOOK}/b` };
      expect((await row(await connectWith(body)))?.webhook_url_override).to.equal(`${HOOK}/b`);
    });
  });

  describe('for a connection that is authorized again', () => {
    const FIRST = { end_user: ADA, organization: ACME, tags: { team: 'a' }, webhook_url_override: HOOK };
    let connected: Connected;

    beforeEach(async () => {
      connected = await connectWith({ ...FIRST, ...preset({ connection_config: { region: 'eu' } }) });
      await app.database
        .db<ConnectionRow>('connections')
        .where({ connection_id: connected.connectionId })
        .update({ metadata: { plan: 1 } });
    });

    /** Returns everything about the connection, apart from its credentials, that authorizing again may change. */
    async function state() {
      const stored = await row(connected);
      return {
        tags: stored?.tags,
        endUser: stored?.end_user,
        override: stored?.webhook_url_override,
        config: stored?.connection_config,
        metadata: stored?.metadata,
      };
    }

    it('changes nothing that the session does not name', async () => {
      const before = await state();
      await reconnect(app, connected);
      expect(await state()).to.deep.equal(before);
      expect(before).to.deep.include({ override: HOOK, config: { region: 'eu' }, metadata: { plan: 1 } });
    });

    it('keeps what was changed while the session was open', async () => {
      const token = await createReconnectSession(app, connected);
      const path = `/connections/${connected.connectionId}?provider_config_key=${KEY}`;
      expect((await app.api.patch(path, { tags: { later: 'b' } })).status).to.equal(200);
      expect((await finish(await returnFromProvider(app, { token }))).status).to.equal(200);
      expect((await record(connected)).tags).to.deep.equal({ later: 'b' });
    });

    const CHANGES: Readonly<Record<string, readonly [object, object]>> = {
      'tags as a whole': [{ tags: { team: 'b' } }, { tags: { team: 'b' } }],
      'tags with none': [{ tags: {} }, { tags: {} }],
      'the end user, and the tags that said the same of the old one': [
        { end_user: { id: 'bob' } },
        {
          tags: { team: 'a', end_user_id: 'bob' },
          endUser: { id: 'bob', email: null, display_name: null, tags: {}, organization: null },
        },
      ],
      'the tags of an organization': [
        { organization: { id: 'other' } },
        {
          tags: {
            team: 'a',
            end_user_id: 'ada',
            end_user_email: 'ada@example.org',
            end_user_display_name: 'Ada',
            organization_id: 'other',
            organization_display_name: 'Acme',
          },
        },
      ],
      'the webhook address': [{ webhook_url_override: `${HOOK}/b` }, { override: `${HOOK}/b` }],
      'the webhook address with none': [{ webhook_url_override: '' }, { override: null }],
      'the fields of the configuration that the session names': [
        preset({ connection_config: { site: 'x' } }),
        { config: { region: 'eu', site: 'x' } },
      ],
    };
    for (const [what, [body, changed]] of Object.entries(CHANGES)) {
      it(`replaces ${what}`, async () => {
        const before = await state();
        await reconnect(app, connected, body);
        expect(await state()).to.deep.equal({ ...before, ...changed });
      });
    }

    it('changes nothing when the authorization fails', async () => {
      const before = await state();
      const token = await createReconnectSession(app, connected, { tags: {}, webhook_url_override: '', end_user: { id: 'bob' } });
      const back = await returnFromProvider(app, { token });
      expect((await finish(back, { error: 'access_denied', code: undefined })).status).to.equal(400);
      expect(await state()).to.deep.equal(before);
    });

    it('is shown by the session as it will be stored', async () => {
      const show = async (body: object) =>
        (await app.client(await createReconnectSession(app, connected, body)).get('/connect/session')).body.data.endUser;
      expect(await show({})).to.deep.equal({ ...ADA, organization: ACME });
      expect(await show({ end_user: { id: 'bob' } })).to.include({ id: 'bob' });
    });

    it('is refused when there would be too many tags', async () => {
      await reconnect(app, connected, { tags: Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`k${index}`, 'v'])) });
      const input = { connection_id: connected.connectionId, integration_id: KEY, end_user: { id: 'bob' } };
      const { status, body } = await app.api.post('/connect/sessions/reconnect', input);
      expect([status, body.error.code]).to.deep.equal([400, 'invalid_body']);
    });
  });
});
