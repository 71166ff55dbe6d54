import { expect } from 'chai';
import type { ConnectionRow } from '../../core/connections/connection-row.ts';
import type { OperationLogRow } from '../../core/journal/operation-log/operation-log-row.ts';
import { connectionsOf } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import { createReconnectSession, createSession, readConnection } from '../support/connect.ts';
import {
  connectDirectly,
  DIRECT_METHODS,
  type DirectMethod,
  directQuery,
  PROVEN_BY_TOKEN,
  startDirectApp,
  tokenResponse,
} from '../support/direct.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { expectError } from '../support/std-error.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';

const METHODS: Readonly<Record<string, DirectMethod>> = DIRECT_METHODS;

/** Statuses of the provider's response to the verification call, each with the resulting error code of the service. */
const REFUSALS = [
  [401, 'connection_test_failed'],
  [403, 'connection_test_failed'],
  [429, 'provider_unavailable'],
  [500, 'provider_unavailable'],
] as const;

describe('connecting without a visit to the provider', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startDirectApp(provider));

  async function lastOperation(): Promise<OperationLogRow | undefined> {
    await app.services.activity.flush();
    return app.database
      .db<OperationLogRow>('operation_log')
      .orderBy([{ column: 'created_at', order: 'desc' }])
      .first();
  }

  async function connect(
    method: DirectMethod,
    body = method.body(),
  ): Promise<{ readonly connectionId: string; readonly key: string }> {
    const token = await createSession(app, { tags: { team: 'a' }, allowed_integrations: [method.key] });
    const query = directQuery(method, token, { site: 'acme' });
    const response = await connectDirectly(app, method, { query, body });
    expect(response.status, response.text).to.equal(200);
    return { connectionId: response.body.connectionId, key: method.key };
  }

  for (const [what, method] of Object.entries(METHODS)) {
    describe(`with ${what}`, () => {
      it('creates a connection after a verification call to the provider, and ends the session', async () => {
        const token = await createSession(app, { tags: { team: 'a' } });
        const query = directQuery(method, token, { site: 'acme', code: '' });
        const body = method.body();
        const response = await connectDirectly(app, method, { query, body });
        expect(response.status, response.text).to.equal(200);
        expect(response.body).to.have.all.keys('connectionId', 'providerConfigKey');
        expect(response.body.providerConfigKey).to.equal(method.key);
        expect(String(provider.ledger.of('api').at(-1)?.headers.authorization)).to.match(method.header);

        const record = (await readConnection(app, { connectionId: response.body.connectionId, key: method.key })).body;
        expect(record).to.deep.include({
          tags: { team: 'a' },
          connection_config: { ...method.config, site: 'acme' },
          metadata: {},
          errors: [],
        });
        expect(record.credentials).to.deep.include(method.shown(body ?? {}));
        const logged = { type: 'auth', operation: 'creation', status: 'success', connection_id: response.body.connectionId };
        expect(await lastOperation()).to.deep.include(logged);
        expectError(await connectDirectly(app, method, { query, body }), 'unknown_connect_session_token');
      });

      const refusals = PROVEN_BY_TOKEN.includes(method.authMode) ? REFUSALS.slice(0, 1) : REFUSALS;
      for (const [status, code] of refusals) {
        it(`stores nothing when the provider responds with ${status}, and the session can be used again`, async () => {
          const token = await createSession(app);
          const before = (await connectionsOf(app)).length;
          const asked = { query: directQuery(method, token), body: method.body() };
          provider.next('api', { response: { status, body: 'the provider’s words' } });
          const response = await connectDirectly(app, method, asked);
          expectError(response, code);
          expect(response.text).not.to.include('the provider’s words');
          expect(await connectionsOf(app)).to.have.length(before);
          const logged = { type: 'auth', operation: 'creation', status: 'failure', provider_config_key: method.key };
          expect(await lastOperation()).to.deep.include(logged);
          expect((await connectDirectly(app, method, asked)).status).to.equal(200);
        });
      }

      it('gives an existing connection new credentials and leaves the rest', async () => {
        const connected = await connect(method);
        const rows = () => app.database.db<ConnectionRow>('connections').where({ connection_id: connected.connectionId });
        await rows().update({ metadata: { plan: 1 } });
        const [before, count] = [await storedConnection(app.database.db, connected), (await connectionsOf(app)).length];
        const body = method.body();
        const query = { connect_session_token: await createReconnectSession(app, connected), 'params[code]': canary('code') };
        const response = await connectDirectly(app, method, { query, body });
        expect(response.body).to.deep.equal({ connectionId: connected.connectionId, providerConfigKey: method.key });

        const { body: record } = await readConnection(app, connected);
        const kept = { id: before.id, tags: { team: 'a' }, metadata: { plan: 1 } };
        expect(record).to.deep.include(kept);
        expect(record.connection_config).to.deep.equal({ ...method.config, site: 'acme', code: query['params[code]'] });
        expect(record.credentials).to.deep.include(method.shown(body ?? {}));
        expect((await storedConnection(app.database.db, connected)).generation).to.equal(before.generation + 1);
        expect(await connectionsOf(app)).to.have.length(count);
        expect(await lastOperation()).to.deep.include({ operation: 'override', status: 'success' });
      });

      it('leaves an existing connection as it was when the new credentials are refused', async () => {
        const connected = await connect(method);
        const before = await storedConnection(app.database.db, connected);
        const query = { connect_session_token: await createReconnectSession(app, connected), 'params[site]': 'other' };
        provider.next('api', { response: { status: 401 } });
        expectError(await connectDirectly(app, method, { query, body: method.body() }), 'connection_test_failed');
        expect(await storedConnection(app.database.db, connected)).to.deep.equal(before);
        expect(await lastOperation()).to.deep.include({ operation: 'override', status: 'failure' });
      });

      it('does not bring a deleted connection back', async () => {
        const connected = await connect(method);
        const query = { connect_session_token: await createReconnectSession(app, connected) };
        // The connection is deleted but still being cleaned up at the provider.
        await app.database.db('connections').where({ connection_id: connected.connectionId }).update({ deleted_at: new Date() });
        const calls = provider.ledger.entries.length;
        expectError(await connectDirectly(app, method, { query, body: method.body() }), 'unknown_connection');
        expect(provider.ledger.entries).to.have.length(calls);
        await app.database.db('connections').where({ connection_id: connected.connectionId }).delete();
        expectError(await connectDirectly(app, method, { query, body: method.body() }), 'unknown_connect_session_token');
      });
    });
  }

  it('creates one connection for a session, however many requests come at once', async () => {
    const method = METHODS['an API key'] ?? expect.fail();
    const before = (await connectionsOf(app)).length;
    const query = { connect_session_token: await createSession(app) };
    const barrier = provider.barrier('api');
    const responses = Array.from({ length: 5 }, () => connectDirectly(app, method, { query, body: method.body() }));
    await barrier.arrived(5);
    barrier.open();
    provider.always('api', {});
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses.toSorted()).to.deep.equal([200, 401, 401, 401, 401]);
    expect(await connectionsOf(app)).to.have.length(before + 1);
  });

  describe('at a provider that issues a token for the credentials', () => {
    const method = DIRECT_METHODS['a client'];
    const json = { 'content-type': 'application/json' };

    it('keeps the token, and requests another one when a refresh is forced', async () => {
      const connected = await connect(method);
      const first = (await readConnection(app, connected)).body.credentials;
      const asked = new URLSearchParams(provider.ledger.of('token').at(-1)?.body.toString());
      expect(Object.fromEntries(asked)).to.include({ grant_type: 'client_credentials', client_id: 'a-client' });
      expect(first).to.have.property('expires_at');
      provider.next('token', { response: tokenResponse() });
      const second = (await readConnection(app, connected, '&force_refresh=true')).body.credentials;
      expect(second.token).to.be.a('string').and.not.to.equal(first.token);
      expect(second).to.include({ client_id: first.client_id, client_secret: first.client_secret });
    });

    const REFUSALS: Readonly<Record<string, readonly [object, 'connection_test_failed' | 'provider_unavailable']>> = {
      'an unknown client': [{ status: 401, headers: json, body: '{"error":"invalid_client"}' }, 'connection_test_failed'],
      'an invalid scope': [{ status: 400, headers: json, body: '{"error":"invalid_scope"}' }, 'connection_test_failed'],
      'too many requests': [{ status: 429, body: '' }, 'provider_unavailable'],
      trouble: [{ status: 500, body: 'oh' }, 'provider_unavailable'],
      'a page without a token': [{ status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' }, 'provider_unavailable'],
    };
    for (const [words, [response, code]] of Object.entries(REFUSALS)) {
      it(`stores nothing when the provider responds with ${words}`, async () => {
        const before = (await connectionsOf(app)).length;
        provider.next('token', { response: response as { status: number } });
        const query = { connect_session_token: await createSession(app) };
        expectError(await connectDirectly(app, method, { query, body: method.body() }), code);
        expect(await connectionsOf(app)).to.have.length(before);
        expect(await lastOperation()).to.deep.include({ type: 'auth', status: 'failure', provider_config_key: method.key });
      });
    }

    it('stores nothing when the provider does not respond', async () => {
      const before = (await connectionsOf(app)).length;
      provider.next('token', { delivery: 'reset' });
      const query = { connect_session_token: await createSession(app) };
      expectError(await connectDirectly(app, method, { query, body: method.body() }), 'provider_unavailable');
      expect(await connectionsOf(app)).to.have.length(before);
    });
  });
});
