import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { createSession } from '../support/connect.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

const MINUTE_MS = 60_000;

describe('connect sessions', function () {
  const app = use(this, startApp);

  before(async () => {
    await storeIntegration(app.api, 'one');
    await storeIntegration(app.api, 'two');
  });

  const create = (body: object) => app.api.post('/connect/sessions', body);
  const read = async (token: string) => (await app.client(token).get('/connect/session')).body.data;

  describe('created', () => {
    it('need no member at all', async () => {
      const { status, body } = await create({});
      expect(status).to.equal(201);
      expect(body.data.token).to.match(/^svc_connect_session_[0-9a-f]{64}$/);
      expect(body.data.connect_link).to.equal(`${app.url}/connect/l#${body.data.token}`);
    });

    it('last 30 minutes', async () => {
      const { body } = await create({});
      const lifetime = Date.parse(body.data.expires_at) - app.clock.now().getTime();
      expect(lifetime).to.be.within(29.5 * MINUTE_MS, 30 * MINUTE_MS);
    });

    it('take tags, allowed integrations and presets', async () => {
      const { status } = await create({
        tags: { end_user_id: '7', End_User_Email: 'ada@example.org' },
        allowed_integrations: ['one', 'two'],
        integrations_config_defaults: { one: { connection_config: { region: 'eu' } }, two: {} },
      });
      expect(status).to.equal(201);
    });

    it('are kept as hashes, and their presets encrypted', async () => {
      const preset = canary('preset');
      const defaults = { one: { connection_config: { key: preset }, authorization_params: { a: preset }, user_scopes: preset } };
      const token = await createSession(app, { integrations_config_defaults: defaults });
      const dump = await app.database.dump();
      expect(dump).not.to.contain(token);
      expect(dump).not.to.contain(preset);
    });

    for (const [where, body] of Object.entries({
      'allowed integrations': { allowed_integrations: ['one', 'nobody'] },
      presets: { integrations_config_defaults: { nobody: {} } },
      overrides: { overrides: { nobody: {} } },
    })) {
      it(`refuse an integration among the ${where} that does not exist`, async () => {
        expectError(await create(body), 'unknown_provider_config');
      });
    }
  });

  describe('read with their token', () => {
    it('show what they allow, and of presets only the names', async () => {
      const secret = canary('preset');
      const token = await createSession(app, {
        tags: { end_user_email: 'ada@example.org', end_user_display_name: 'Ada', org: 'x' },
        allowed_integrations: ['one'],
        integrations_config_defaults: {
          one: { connection_config: { region: secret }, authorization_params: { login_hint: secret }, user_scopes: secret },
        },
        overrides: { one: { docs_connect: 'https://docs.example/connect' } },
      });
      const { expires_at, ...session } = await read(token);
      expect(session).to.deep.equal({
        endUser: { id: 'ada@example.org', email: 'ada@example.org', display_name: 'Ada', tags: {}, organization: null },
        connectUISettings: {
          showWatermark: false,
          defaultTheme: 'system',
          theme: { light: { primary: '#00B2E3' }, dark: { primary: '#00B2E3' } },
        },
        allowed_integrations: ['one'],
        integrations_config_defaults: { one: { connection_config: ['region'], authorization_params: ['login_hint'] } },
        overrides: { one: { docs_connect: 'https://docs.example/connect' } },
        integrations: [
          {
            unique_key: 'one',
            display_name: 'Generic OAuth 2.0',
            provider: 'generic-oauth',
            logo_url: `${app.url}/logos/generic-oauth.svg`,
            categories: ['other'],
            way: 'sign_in',
          },
        ],
        brand: { name: null, logo_url: null, color: null, radius: null, theme: 'system', language: null },
        return_url: null,
        reconnect: null,
        is_production: false,
      });
      expect(Date.parse(expires_at)).to.be.greaterThan(app.clock.now().getTime());
    });

    it('show only their own defaults if nothing was set', async () => {
      const session = await read(await createSession(app));
      const always = ['endUser', 'connectUISettings', 'expires_at', 'integrations', 'brand', 'return_url', 'reconnect'];
      expect(session).to.have.all.keys(...always, 'is_production');
      expect(session.endUser).to.equal(null);
    });

    it('show the end user as the backend specified it', async () => {
      const endUser = { id: '7', email: 'ada@example.org', display_name: 'Ada', tags: { plan: 'pro' } };
      const input = { end_user: endUser, organization: { id: 'o1', display_name: 'Acme' }, tags: { end_user_id: 'other' } };
      const session = await read(await createSession(app, input));
      expect(session.endUser).to.deep.equal({ ...endUser, organization: { id: 'o1', display_name: 'Acme' } });
    });

    const BY_TAGS: Readonly<Record<string, readonly [Record<string, string>, object | null]>> = {
      'an ID': [{ end_user_id: '7' }, { id: '7', email: null, display_name: null, organization: null }],
      'a name': [{ end_user_display_name: 'Ada' }, { id: 'Ada', email: null, display_name: 'Ada', organization: null }],
      'an organization': [
        { end_user_id: '7', organization_id: 'o1', organization_display_name: 'Acme' },
        { id: '7', email: null, display_name: null, organization: { id: 'o1', display_name: 'Acme' } },
      ],
      'an organization without a name': [
        { end_user_id: '7', organization_id: 'o1' },
        { id: '7', email: null, display_name: null, organization: { id: 'o1', display_name: null } },
      ],
      'nothing of a person': [{ organization_id: 'o1', team: 'a' }, null],
    };
    for (const [what, [tags, endUser]] of Object.entries(BY_TAGS)) {
      it(`show the end user from tags with ${what}`, async () => {
        const expected = endUser === null ? null : { ...endUser, tags: {} };
        expect((await read(await createSession(app, { tags }))).endUser).to.deep.equal(expected);
      });
    }

    it('show nothing of a deleted integration', async () => {
      const key = await storeIntegration(app.api, 'brief');
      const token = await createSession(app, {
        allowed_integrations: ['one', key],
        integrations_config_defaults: { [key]: { connection_config: { region: 'eu' } } },
        overrides: { [key]: { docs_connect: 'https://docs.example' } },
      });
      await app.database.db('integrations').where({ unique_key: key }).update({ deleted_at: app.clock.now() });
      const session = await read(token);
      expect(session.allowed_integrations).to.deep.equal(['one']);
      expect(session).not.to.have.any.keys('integrations_config_defaults', 'overrides');
      const { body } = await app.client(token).get('/integrations');
      expect(body.data.map((one: { unique_key: string }) => one.unique_key)).to.deep.equal(['one']);
    });

    it('name the account to reconnect, unless any is allowed', async () => {
      const providerAccount = { id: '7', name: 'Ada', email: 'ada@example.org', origin: 'https://x.example' };
      const { connectionId } = await storeConnection(app, { key: 'one', providerAccount });
      const wanted = { connection_id: connectionId, integration_id: 'one' };
      const reconnect = async (more: object) => {
        const { body } = await app.api.post('/connect/sessions/reconnect', { ...wanted, ...more });
        return (await read(body.data.token)).reconnect;
      };
      expect(await reconnect({})).to.deep.equal({ integration: 'one', account: { name: 'Ada', email: 'ada@example.org' } });
      expect(await reconnect({ allow_account_change: true })).to.deep.equal({ integration: 'one', account: null });
    });

    it('name no integrations when all are allowed', async () => {
      expect(await read(await createSession(app))).not.to.have.property('allowed_integrations');
    });
  });

  it('are refused if they would allow nothing, and the error says what to do', async () => {
    const response = await app.api.post('/connect/sessions', { allowed_integrations: [] });
    expectError(response, 'invalid_body', ['allowed_integrations']);
    expect(response.body.error.errors[0].message).to.equal('must name at least one integration; omit it to allow all');
  });

  describe('ended', () => {
    it('are unknown afterwards', async () => {
      const client = app.client(await createSession(app));
      expect((await client.delete('/connect/session')).status).to.equal(204);
      expectError(await client.get('/connect/session'), 'unknown_connect_session_token');
      expectError(await client.delete('/connect/session'), 'unknown_connect_session_token');
    });

    it('by several at once, are ended by one of them', async () => {
      const client = app.client(await createSession(app));
      const responses = await Promise.all(Array.from({ length: 8 }, () => client.delete('/connect/session')));
      expect(responses.map(({ status }) => status).sort()).to.deep.equal([204, ...Array(7).fill(401)]);
    });

    it('by time, are unknown afterwards', async () => {
      const client = app.client(await createSession(app));
      await app.clock.advance(29 * MINUTE_MS);
      expect((await client.get('/connect/session')).status).to.equal(200);
      await app.clock.advance(2 * MINUTE_MS);
      expectError(await client.get('/connect/session'), 'unknown_connect_session_token');
    });

    it('begin no authorization', async () => {
      const token = await createSession(app);
      await app.client(token).delete('/connect/session');
      const response = await app.client().get(`/oauth/connect/one?connect_session_token=${token}`);
      expectError(response, 'unknown_connect_session_token');
    });
  });

  describe('for authorizing again', () => {
    const again = (body: object) => app.api.post('/connect/sessions/reconnect', body);

    it('allow the integration of the connection and nothing else', async () => {
      const { connectionId } = await storeConnection(app, { key: 'one', tags: { end_user_email: 'ada@example.org' } });
      const { status, body } = await again({ connection_id: connectionId, integration_id: 'one' });
      expect(status).to.equal(201);
      const session = await read(body.data.token);
      expect(session).to.include({ isReconnecting: true });
      expect(session.endUser).to.include({ email: 'ada@example.org' });
      expect(session.allowed_integrations).to.deep.equal(['one']);
    });

    it('need a connection of that integration', async () => {
      const { connectionId } = await storeConnection(app, { key: 'one' });
      expectError(await again({ connection_id: connectionId, integration_id: 'two' }), 'unknown_connection');
      expectError(await again({ connection_id: 'nobody', integration_id: 'one' }), 'unknown_connection');
      expectError(await again({ connection_id: connectionId, integration_id: 'nobody' }), 'unknown_provider_config');
    });

    it('are refused for a connection that is erased while they are created', async () => {
      const { connectionId } = await storeConnection(app, { key: 'one' });
      const { db } = app.database;
      const erasing = await db.transaction();
      await erasing('connections').where({ connection_id: connectionId }).delete();
      const response = again({ connection_id: connectionId, integration_id: 'one' });
      const waiting = () => db('pg_stat_activity').whereRaw("datname = current_database() and wait_event_type = 'Lock'").first();
      while ((await waiting()) === undefined);
      await erasing.commit();
      expectError(await response, 'unknown_connection');
    });

    it('end with their connection', async () => {
      const { connectionId } = await storeConnection(app, { key: 'one' });
      const { body } = await again({ connection_id: connectionId, integration_id: 'one' });
      await app.api.delete(`/connections/${connectionId}?provider_config_key=one`);
      expectError(await app.client(body.data.token).get('/connect/session'), 'unknown_connect_session_token');
    });
  });
});
