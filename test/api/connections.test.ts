import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { type Connected, readConnection } from '../support/connect.ts';
import { RECORD_MEMBERS } from '../support/record-members.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeConnection, storeIntegration, storeReceiver } from '../support/stored.ts';
import { use } from '../support/use.ts';

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
describe('connections', function () {
  const app = use(this, startApp);

  before(async () => {
    await storeIntegration(app.api, 'one');
    await storeIntegration(app.api, 'two');
  });

  const pathOf = ({ connectionId, key }: Connected, query = '') =>
    `/connections/${encodeURIComponent(connectionId)}?provider_config_key=${key}${query}`;

  describe('read', () => {
    let stored: Connected;

    before(async () => {
      stored = await storeConnection(app, { key: 'one', tags: { org: 'acme' } });
    });

    it('are the record that the interface promises', async () => {
      const { status, body } = await readConnection(app, stored);
      expect(status).to.equal(200);
      expect(body).to.have.all.keys(...RECORD_MEMBERS, 'credentials');
      expect(body).to.deep.include({
        connection_id: stored.connectionId,
        provider_config_key: 'one',
        provider: 'generic-oauth',
        errors: [],
        metadata: {},
        connection_config: {},
        tags: { org: 'acme' },
        end_user: null,
      });
      expect(body.id).to.be.a('number');
      for (const member of ['created_at', 'updated_at', 'last_fetched_at']) expect(body[member]).to.match(ISO_8601);
      expect(body.last_fetched_at).to.equal(body.created_at);
    });

    it('with include=webhook, show the address to which providers deliver their webhooks', async () => {
      const receiver = await storeReceiver(app.api);
      const { body: imported } = await app.api.post('/connections', {
        provider_config_key: receiver,
        credentials: { type: 'OAUTH2', access_token: canary('access token') },
      });
      const connected = { key: receiver, connectionId: imported.connection_id };
      const api = await clientWith(app, 'environment:connections:read');
      const { body } = await api.get(pathOf(connected, '&include=webhook'));
      expect((await api.get(pathOf(connected))).body).not.to.have.property('webhook_url');

      const url = new URL(body.webhook_url);
      expect(url.origin).to.equal(app.url);
      expect(url.searchParams.get('svcConnectionId')).to.equal(connected.connectionId);
      const deliver = (address: URL) =>
        app.client().call('POST', `${address.pathname}${address.search}`, { body: { triggerEvent: 'BOOKING_CREATED' } });
      expect((await deliver(url)).status).to.equal(200);
      url.searchParams.set('svcTag', '0'.repeat(64));
      expect((await deliver(url)).status).to.equal(401);
    });

    it('have a configuration without any refresh token, in the list too, unless it is requested', async () => {
      const connection_config = { kept: [{ 'refresh-token': 'r1', id: 1 }], refresh_token: 'r2', refreshToken: 'r3' };
      const credentials = { type: 'OAUTH2', access_token: 'access-1' };
      const input = { provider_config_key: 'one', connection_id: 'configured', credentials, connection_config };
      const seen = [
        (await app.api.post('/connections', input)).body,
        (await readConnection(app, { key: 'one', connectionId: 'configured' })).body,
        (await app.api.get('/connections?connectionId=configured')).body.connections[0],
      ];
      for (const record of seen) expect(record.connection_config).to.deep.equal({ kept: [{ id: 1 }] });
      const { body } = await readConnection(app, { key: 'one', connectionId: 'configured' }, '&refresh_token=true');
      expect(body.connection_config).to.deep.equal(connection_config);
    });

    it('have credentials without any refresh token', async () => {
      const { body } = await readConnection(app, stored);
      expect(body.credentials).to.have.all.keys('type', 'access_token', 'expires_at', 'raw');
      expect(body.credentials.raw).to.deep.equal({ access_token: body.credentials.access_token, nested: {} });
      expect(body.credentials.expires_at).to.match(ISO_8601);
    });

    it('have refresh tokens when they are requested', async () => {
      const { body } = await readConnection(app, stored, '&refresh_token=true&refresh_github_app_jwt_token=false');
      expect(body.credentials.refresh_token).to.be.a('string').and.to.equal(body.credentials.raw.refresh_token);
    });

    for (const [words, shown] of [
      [['true', '1', 'yes', 'on', 'y', 'enabled', 'TRUE'], true],
      [['false', '0', 'no', 'off', 'n', 'disabled', 'False'], false],
    ] as const) {
      for (const word of words) {
        it(`take ${word} for a flag`, async () => {
          const flags = `&refresh_token=${word}&force_refresh=false&refresh_github_app_jwt_token=${word}`;
          const { body } = await readConnection(app, stored, flags);
          expect('refresh_token' in body.credentials).to.equal(shown);
        });
      }
    }

    it('have no credentials for a key that may not read them', async () => {
      const api = await clientWith(app, 'environment:connections:read');
      const { status, body } = await readConnection({ ...app, api }, stored);
      expect(status).to.equal(200);
      expect(body.credentials).to.deep.equal({});
    });

    for (const flag of ['force_refresh', 'refresh_token']) {
      it(`need more than reading for ${flag}`, async () => {
        const api = await clientWith(app, 'environment:connections:read');
        expectError(await readConnection({ ...app, api }, stored, `&${flag}=true`), 'forbidden');
        expect((await readConnection({ ...app, api }, stored, `&${flag}=false`)).status).to.equal(200);
      });
    }

    it('record when they were fetched', async () => {
      await app.clock.advance(60_000);
      await readConnection(app, stored);
      const seen = async () => Date.parse((await readConnection(app, stored)).body.last_fetched_at);
      const before = app.clock.now().getTime();
      while ((await seen()) < before - 10_000) {
        if (app.clock.now().getTime() - before > 20_000) throw new Error('last_fetched_at was not written');
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    });

    it('name the log entry of an error of their credentials', async () => {
      const broken = await storeConnection(app, { key: 'one' });
      const log = '7b1c1b86-53f5-4d6c-b1a5-0f7f5c8b3d11';
      await app.database.db('connections').where({ connection_id: broken.connectionId }).update({ auth_error_log_id: log });
      const api = await clientWith(app, 'environment:connections:read');
      const { body } = await readConnection({ ...app, api }, broken);
      expect(body.errors).to.deep.equal([{ type: 'auth', log_id: log }]);
    });

    const queries: Readonly<Record<string, string>> = {
      'without the integration': '',
      'with an empty integration': '?provider_config_key=',
      'with the integration twice': '?provider_config_key=one&provider_config_key=one',
      'with an unknown parameter': '?provider_config_key=one&forceRefresh=true',
      'with a flag that is none': '?provider_config_key=one&force_refresh=maybe',
    };
    for (const [what, query] of Object.entries(queries)) {
      it(`refuse a query ${what}`, async () => {
        expectError(await app.api.get(`/connections/${stored.connectionId}${query}`), 'invalid_query_params');
      });
    }

    it('are reported as unknown, by connection or by integration', async () => {
      expectError(await app.api.get('/connections/nobody?provider_config_key=one'), 'unknown_connection');
      expectError(await app.api.get(pathOf({ ...stored, key: 'two' })), 'unknown_connection');
      expectError(await app.api.get(pathOf({ ...stored, key: 'nobody' })), 'unknown_provider_config');
    });

    for (const connectionId of ['a/b', '%2F', 'ünïcode 🦊', '...', '.a', '?&=#', 'a b', 'x'.repeat(255)]) {
      it(`may have the ID ${JSON.stringify(connectionId.slice(0, 20))}`, async () => {
        const odd = await storeConnection(app, { key: 'one', connectionId });
        expect((await app.api.get(pathOf(odd))).body.connection_id).to.equal(connectionId);
        expect((await app.api.delete(pathOf(odd))).body).to.deep.equal({ success: true });
      });
    }

    it('cannot have an ID that clients remove from paths', async () => {
      for (const connection_id of ['.', '..']) {
        const credentials = { type: 'OAUTH2', access_token: canary('access token') };
        const refused = await app.api.post('/connections', { provider_config_key: 'one', connection_id, credentials });
        expectError(refused, 'invalid_body');
        expect(refused.body.error.errors[0]).to.deep.include({ path: ['connection_id'], message: 'must not be "." or ".."' });
      }
    });

    it('cannot have an ID that is too long or holds control characters', async () => {
      expectError(await app.api.get(pathOf({ key: 'one', connectionId: 'x'.repeat(256) })), 'invalid_uri_params');
      expectError(await app.api.get(pathOf({ key: 'one', connectionId: 'a\u0000' })), 'invalid_uri_params');
      expectError(await app.api.get(pathOf({ key: 'one', connectionId: 'a\u0085' })), 'invalid_uri_params');
    });
  });

  describe('deleted', () => {
    it('do not exist afterwards, and cannot be deleted again', async () => {
      const stored = await storeConnection(app, { key: 'one' });
      expect((await app.api.delete(pathOf(stored))).body).to.deep.equal({ success: true });
      expectError(await app.api.get(pathOf(stored)), 'unknown_connection');
      expectError(await app.api.delete(pathOf(stored)), 'unknown_connection');
      const { body } = await app.api.get(`/connections?connectionId=${stored.connectionId}`);
      expect(body.connections).to.deep.equal([]);
      expect(await app.database.db('connections').where({ connection_id: stored.connectionId })).to.deep.equal([]);
    });

    it('by many at once, are deleted by one', async () => {
      const stored = await storeConnection(app, { key: 'one' });
      const responses = await Promise.all(Array.from({ length: 5 }, () => app.api.delete(pathOf(stored))));
      expect(responses.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404, 404]);
    });

    it('leave their ID free', async () => {
      const stored = await storeConnection(app, { key: 'one', connectionId: 'again' });
      await app.api.delete(pathOf(stored));
      await storeConnection(app, { key: 'one', connectionId: 'again' });
      expect((await app.api.get(pathOf(stored))).status).to.equal(200);
    });

    it('do not affect others with the same ID', async () => {
      const mine = await storeConnection(app, { key: 'one', connectionId: 'twin' });
      const twin = await storeConnection(app, { key: 'two', connectionId: 'twin' });
      await app.api.delete(pathOf(mine));
      expect((await app.api.get(pathOf(twin))).status).to.equal(200);
    });
  });
});
