import { expect } from 'chai';
import { secretConfigPlace } from '../../core/connections/connection-row.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { acknowledgedWritesHold, type ClientWrite } from '../support/checker.ts';
import { authorize, type Connected, connect, connectAgain, readConnection, throughProxy } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { size } from '../support/size.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeIntegration } from '../support/stored.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';

const HOUR_MS = 3_600_000;
const AT_ONCE = size(12, 60);
const ROUNDS = size(6, 60);

describe('importing over an existing connection', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, startApp);
  let connected: Connected;
  let liveToken: string;
  let otherToken: string;

  before(async () => {
    await storeIntegration(app.api, 'one');
    connected = await connect(app, provider);
    liveToken = (await read(connected.connectionId, connected.key)).credentials.access_token;
    const other = await connectAgain(app, connected.key);
    otherToken = (await read(other.connectionId, other.key)).credentials.access_token;
  });

  const tokens = (more: object = {}) => ({ type: 'OAUTH2', access_token: canary('imported access token'), ...more });
  const put = (connection_id: string, more: object = {}): Promise<ClientResponse> =>
    app.api.post('/connections', { provider_config_key: 'one', connection_id, credentials: tokens(), ...more });
  const read = async (connectionId: string, key = 'one') => (await readConnection(app, { connectionId, key })).body;
  const row = (connectionId: string) => storedConnection(app.database.db, { connectionId });

  const everything = {
    connection_config: { region: 'eu' },
    metadata: { plan: 'team' },
    tags: { org: 'acme' },
    end_user: { id: 'u1', email: 'ada@example.com' },
    webhook_url_override: 'https://hooks.example/x',
  };

  it('replaces the credentials and keeps whatever the request does not name', async () => {
    const { body: first } = await put('kept', everything);
    const credentials = tokens();
    const { status, body } = await put('kept', { credentials });
    expect(status).to.equal(200);
    expect(body.credentials.access_token).to.equal(credentials.access_token);
    for (const member of ['id', 'connection_config', 'metadata', 'tags', 'end_user', 'created_at', 'last_fetched_at']) {
      expect(body[member], member).to.deep.equal(first[member]);
    }
    expect(await row('kept')).to.deep.include({ webhook_url_override: 'https://hooks.example/x', generation: 2 });
    expect(await read('kept')).to.deep.equal(body);
  });

  /** Fields of a second import, each with its effect on a connection that the first import created with `everything`. */
  const members: Readonly<Record<string, { input: object; shown: object }>> = {
    'the tags': { input: { tags: { team: 'x' } }, shown: { tags: { team: 'x' } } },
    'all tags': { input: { tags: {} }, shown: { tags: {} } },
    'the metadata': { input: { metadata: { seats: 3 } }, shown: { metadata: { seats: 3 } } },
    'all metadata': { input: { metadata: {} }, shown: { metadata: {} } },
    'members of the configuration': {
      input: { connection_config: { zone: 'b' } },
      shown: { connection_config: { region: 'eu', zone: 'b' } },
    },
    'the value of a member of the configuration': {
      input: { connection_config: { region: 'us' } },
      shown: { connection_config: { region: 'us' } },
    },
    'the end user and what tags came of it': {
      input: { end_user: { id: 'u2' } },
      shown: {
        end_user: { id: 'u2', email: null, display_name: null, tags: {}, organization: null },
        tags: { org: 'acme', end_user_id: 'u2' },
      },
    },
  };
  for (const [index, [what, { input, shown }]] of Object.entries(members).entries()) {
    it(`replaces ${what} and nothing else`, async () => {
      const id = `member-${index}`;
      await put(id, { ...everything, tags: { org: 'acme', end_user_id: 'u1', end_user_email: 'ada@example.com' } });
      const { credentials: _old, updated_at: _time, ...before } = await read(id);
      await put(id, input);
      const { credentials: _new, updated_at: _later, ...after } = await read(id);
      expect(after).to.deep.equal({ ...before, ...shown });
    });
  }

  it('removes the webhook URL when it is empty', async () => {
    await put('unhooked', everything);
    await put('unhooked', { webhook_url_override: '' });
    expect((await row('unhooked')).webhook_url_override).to.equal(null);
  });

  it('clears all errors of the connection', async () => {
    await put('broken');
    await app.database
      .db('connections')
      .where({ connection_id: 'broken' })
      .update({
        state: 'needs_reauth',
        state_cause: 'refused',
        auth_error_log_id: '7b1c1b86-53f5-4d6c-b1a5-0f7f5c8b3d11',
        refresh_failures: 3,
        refresh_after: new Date(Date.now() + HOUR_MS),
        refresh_unknown: true,
      });
    const { body } = await put('broken');
    expect(body.errors).to.deep.equal([]);
    expect(await row('broken')).to.deep.include({
      state: 'healthy',
      state_cause: null,
      auth_error_log_id: null,
      refresh_failures: 0,
      refresh_after: null,
      refresh_owner: null,
      refresh_unknown: false,
    });
    expect((await readConnection(app, { connectionId: 'broken', key: 'one' })).status).to.equal(200);
  });

  it('does not show existing secret configuration to a key without read_credentials', async () => {
    const secret = canary('secret configuration');
    await put('configured');
    const { environment_id: environmentId, id, integration_id: integrationId } = await row('configured');
    const place = secretConfigPlace({ environmentId, id, integrationId });
    const secret_config = app.services.keys.encrypt(JSON.stringify({ site_key: secret }), place);
    await app.database.db('connections').where({ id }).update({ secret_config });
    const api = await clientWith(app, 'environment:connections:create');
    const body = { provider_config_key: 'one', connection_id: 'configured', credentials: tokens() };
    expect((await api.post('/connections', body)).body.connection_config).to.deep.equal({});
    expect((await app.api.post('/connections', body)).body.connection_config).to.deep.equal({ site_key: secret });
  });

  it('is in the log as a creation, then as an override', async () => {
    await put('logged');
    await put('logged');
    const rows = await app.database.db('operation_log').where({ connection_id: 'logged' }).orderBy('created_at');
    expect(rows.map(({ operation, status }) => `${operation} ${status}`)).to.deep.equal(['creation success', 'override success']);
  });

  it('is seen by the proxy within two seconds', async () => {
    const input = { provider_config_key: connected.key, connection_id: 'proxied' };
    const sentToken = async () => {
      const { body } = await throughProxy(app, { key: connected.key, connectionId: 'proxied' }, { path: '/echo' });
      return body.headers[body.headers.indexOf('authorization') + 1];
    };
    await app.api.post('/connections', { ...input, credentials: { type: 'OAUTH2', access_token: liveToken } });
    expect(await sentToken()).to.equal(`Bearer ${liveToken}`);
    await app.api.post('/connections', { ...input, credentials: { type: 'OAUTH2', access_token: otherToken } });
    // The deadline is four times the two seconds within which proxied calls must use the new token, because other tests run at
    // the same time, but shorter than the lifetime of cache entries.
    const deadline = Date.now() + 8_000;
    while ((await sentToken()) !== `Bearer ${otherToken}`) expect(Date.now()).to.be.below(deadline);
  });

  describe('with expiry', () => {
    const expires_at = new Date(Date.now() - HOUR_MS).toISOString();

    it('stores an expired access token with its refresh token, and calls no provider', async () => {
      const before = provider.ledger.of('token').length;
      const { status, body } = await put('over', { credentials: tokens({ expires_at, refresh_token: canary('refresh token') }) });
      expect(status).to.equal(200);
      expect(body.credentials.expires_at).to.equal(expires_at);
      expect(await row('over')).to.include({ refreshable: true, state: 'healthy' });
      expect(provider.ledger.of('token')).to.have.length(before);
    });

    it('reports that the user is needed when there is no refresh token', async () => {
      expect((await put('ended', { credentials: tokens({ expires_at }) })).status).to.equal(200);
      expectError(await readConnection(app, { connectionId: 'ended', key: 'one' }), 'invalid_credentials');
    });

    it('refreshes credentials with a refresh token when they are read', async () => {
      const { body } = await readConnection(app, connected, '&refresh_token=true');
      const { access_token, refresh_token } = body.credentials;
      const credentials = { type: 'OAUTH2', access_token, refresh_token, expires_at };
      const moved = { provider_config_key: connected.key, connection_id: 'moved', credentials };
      await app.api.post('/connections', moved);
      const renewed = await read('moved', connected.key);
      expect(renewed.credentials.access_token).to.be.a('string').and.not.to.equal(access_token);
    });
  });

  it('does not disturb a reconnect in progress, which does not undo the import', async () => {
    const { key, connectionId } = connected;
    const session = await app.api.post('/connect/sessions/reconnect', { connection_id: connectionId, integration_id: key });
    const input = { provider_config_key: key, connection_id: connectionId, credentials: tokens() };
    expect((await app.api.post('/connections', { ...input, tags: { by: 'import' } })).status).to.equal(200);
    expect((await authorize(app, { key, token: session.body.data.token })).status).to.equal(200);
    const after = await read(connectionId, key);
    expect(after.tags).to.deep.equal({ by: 'import' });
    expect(after.credentials.access_token).not.to.equal(input.credentials.access_token);
  });

  describe('that is deleted', () => {
    it('creates a new one, without anything of the old one', async () => {
      const { body: old } = await put('gone', everything);
      await app.api.delete('/connections/gone?provider_config_key=one');
      const { body } = await put('gone');
      expect(body.id).not.to.equal(old.id);
      expect(body).to.deep.include({ tags: {}, metadata: {}, connection_config: {}, end_user: null });
    });

    it('creates a new one while the old one is only marked deleted', async () => {
      const { body: old } = await put('marked', everything);
      await app.database.db('connections').where({ id: old.id }).update({ deleted_at: new Date() });
      const { status, body } = await put('marked');
      expect(status).to.equal(200);
      expect(body.id).not.to.equal(old.id);
    });

    it('works whichever request is first', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = `race-${round}`;
        await put(id);
        const [imported, deleted] = await Promise.all([
          put(id, { metadata: { round } }),
          app.api.delete(`/connections/${id}?provider_config_key=one`),
        ]);
        expect(imported?.status, imported?.text).to.equal(200);
        expect(deleted?.status, deleted?.text).to.equal(200);
      }
    });
  });

  it('by many at once ends in one connection', async () => {
    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => put('crowd', { metadata: { index }, tags: { index: String(index) } })),
    );
    expect(responses.map(({ status }) => status)).to.deep.equal(Array(AT_ONCE).fill(200));
    expect(new Set(responses.map(({ body }) => body.id))).to.have.property('size', 1);
    const rows = await app.database.db('connections').where({ connection_id: 'crowd' });
    expect(rows).to.have.length(1);
    expect(rows[0].generation).to.equal(AT_ONCE);
    expect(rows[0].tags).to.deep.equal({ index: String(rows[0].metadata.index) });
    const writes = responses.map(
      ({ status, body }): ClientWrite => ({ what: 'an import', status, table: 'connections', where: { id: body.id } }),
    );
    expect(acknowledgedWritesHold(writes, { connections: rows })).to.deep.equal([]);
  });

  it('into an integration that is deleted meanwhile leaves no connection behind', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = await storeIntegration(app.api, `short-lived-${round}`);
      const body = { provider_config_key: key, connection_id: 'x', credentials: tokens() };
      const [imported, deleted] = await Promise.all([app.api.post('/connections', body), app.api.delete(`/integrations/${key}`)]);
      expect(deleted?.status, deleted?.text).to.equal(200);
      if (imported?.status !== 200) expectError(imported as ClientResponse, 'unknown_provider_config');
      const left = await app.database
        .db('connections')
        .join('integrations', 'integrations.id', 'connections.integration_id')
        .where({ unique_key: key })
        .whereNull('connections.deleted_at');
      expect(left).to.deep.equal([]);
    }
  });
});
