import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { applyRetention } from '../../core/operate/retention.ts';
import { startApp } from '../support/app.ts';
import { rememberSecret } from '../support/canaries.ts';
import type { Client, ClientResponse } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration, storeKey } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const HOUR_MS = 3_600_000;

interface Maker {
  readonly path: string;
  /** Returns a request body with new names each time. */
  readonly body: () => object;
  /** The body of a different request to the same path. */
  readonly other: object;
  readonly table: string;
  readonly isOfAccount?: true;
}

describe('an Idempotency-Key (DUR-05)', function () {
  const app = use(this, startApp);
  let connectionId: string;

  before(async () => {
    await storeIntegration(app.api, 'one');
    ({ connectionId } = await storeConnection(app, { key: 'one' }));
  });
  const makers: Readonly<Record<string, Maker>> = {
    'an import without ID': {
      path: '/connections',
      body: () => ({ provider_config_key: 'one', credentials: { type: 'OAUTH2', access_token: randomUUID() } }),
      other: { provider_config_key: 'one', credentials: { type: 'OAUTH2', access_token: 'another' } },
      table: 'connections',
    },
    'a connect session': { path: '/connect/sessions', body: () => ({}), other: { tags: { a: 'b' } }, table: 'connect_sessions' },
    'a reconnect session': {
      path: '/connect/sessions/reconnect',
      body: () => ({ connection_id: connectionId, integration_id: 'one' }),
      other: { connection_id: 'another', integration_id: 'one' },
      table: 'connect_sessions',
    },
    'an integration': {
      path: '/integrations',
      body: () => ({ unique_key: randomUUID(), provider: 'github' }),
      other: { unique_key: 'another', provider: 'github' },
      table: 'integrations',
    },
    'an environment': {
      path: '/environments',
      body: () => ({ name: randomUUID() }),
      other: { name: 'another' },
      table: 'environments',
      isOfAccount: true,
    },
    'an API key': {
      path: '/environment/api-keys',
      body: () => ({ environment_id: 1, display_name: randomUUID() }),
      other: { environment_id: 1, display_name: 'another' },
      table: 'api_keys',
      isOfAccount: true,
    },
  };

  const callerOf = ({ isOfAccount }: Maker): Client => (isOfAccount ? app.client(app.accountKey) : app.api);
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

  async function countOf(table: string): Promise<number> {
    return Number((await app.database.db(table).count())[0]?.['count']);
  }

  /**
   * Registers the secrets of a response that are shown only once, so that the tests fail if the stored response contains them in
   * plain text.
   */
  function rememberSecrets({ body }: ClientResponse): void {
    const { api_key: apiKey, secret, token } = body.data ?? {};
    for (const shown of [apiKey, secret, token, body.credentials?.access_token])
      if (shown !== undefined) rememberSecret('secret that is shown once', shown);
  }

  for (const [what, maker] of Object.entries(makers)) {
    it(`creates ${what} once, and returns the same response to every repetition`, async () => {
      const [api, key, body] = [callerOf(maker), randomUUID(), maker.body()];
      const before = await countOf(maker.table);
      const first = await api.post(maker.path, body, keyed(key));
      expect(first.status).to.be.within(200, 201);
      rememberSecrets(first);
      const second = await api.post(maker.path, body, keyed(key));
      expect([second.status, second.text]).to.deep.equal([first.status, first.text]);
      expect(await countOf(maker.table)).to.equal(before + 1);
      expectError(await api.post(maker.path, maker.other, keyed(key)), 'idempotency_mismatch');
      expect(await countOf(maker.table)).to.equal(before + 1);
    });

    it(`creates ${what} once for many requests at a time`, async () => {
      const [api, key, body] = [callerOf(maker), randomUUID(), maker.body()];
      const before = await countOf(maker.table);
      const responses = await Promise.all(Array.from({ length: 5 }, () => api.post(maker.path, body, keyed(key))));
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).to.have.property('size', 1);
      expect(responses[0]?.status).to.be.within(200, 201);
      expect(await countOf(maker.table)).to.equal(before + 1);
    });
  }

  it('belongs to one API key and one path', async () => {
    const key = randomUUID();
    const other = app.client((await storeKey(app, ['environment:*'])).secret);
    const responses = [
      await app.api.post('/connect/sessions', {}, keyed(key)),
      await other.post('/connect/sessions', {}, keyed(key)),
      await app.api.post('/integrations', { unique_key: randomUUID(), provider: 'github' }, keyed(key)),
    ];
    expect(responses.map(({ status }) => status)).to.deep.equal([201, 201, 200]);
    expect(responses[0]?.body.data.token).not.to.equal(responses[1]?.body.data.token);
  });

  it('keeps no failure', async () => {
    const [key, body] = [randomUUID(), { unique_key: 'taken', provider: 'github' }];
    await app.api.post('/integrations', body);
    expectError(await app.api.post('/integrations', body, keyed(key)), 'conflict');
    expect((await app.api.delete('/integrations/taken')).status).to.equal(200);
    expect((await app.api.post('/integrations', body, keyed(key))).status).to.equal(200);
  });

  for (const [what, key] of Object.entries({ 'an empty one': '', 'one of 256 characters': 'x'.repeat(256) }))
    it(`is refused: ${what}`, async () => {
      expectError(await app.api.post('/connect/sessions', {}, keyed(key)), 'invalid_headers');
    });

  it('may have 255 characters', async () => {
    expect((await app.api.post('/connect/sessions', {}, keyed('x'.repeat(255)))).status).to.equal(201);
  });

  it('expires after a day', async () => {
    const key = randomUUID();
    const { text } = await app.api.post('/connect/sessions', {}, keyed(key));
    await app.clock.advance(23 * HOUR_MS, app.database.db);
    await applyRetention(app.services);
    expect((await app.api.post('/connect/sessions', {}, keyed(key))).text).to.equal(text);
    await app.clock.advance(2 * HOUR_MS, app.database.db);
    await applyRetention(app.services);
    expect(await countOf('idempotency_keys')).to.equal(0);
    expect((await app.api.post('/connect/sessions', {}, keyed(key))).text).not.to.equal(text);
  });

  it('can be used again when the claim of its first request has expired, and creates no second row', async () => {
    const { db } = app.database;
    const [key, body] = [randomUUID(), { provider_config_key: 'one', credentials: { type: 'OAUTH2', access_token: 'token' } }];
    const before = await countOf('connections');
    const lock = await db.transaction();
    await lock('integrations').where({ unique_key: 'one' }).forUpdate().select('id');
    const first = app.api.post('/connections', body, keyed(key));
    await until('the first has its claim', async () => (await db('idempotency_keys').whereNull('answer')).length === 1);
    await db('idempotency_keys').update({ claimed_until: new Date(0) });
    const second = app.api.post('/connections', body, keyed(key));
    await until(
      'the second has its claim',
      async () => (await db('idempotency_keys').whereNull('answer').where('claimed_until', '>', db.fn.now())).length === 1,
    );
    await lock.commit();
    expectError(await first, 'storage_unavailable');
    expect((await second).status).to.equal(200);
    expect(await countOf('connections')).to.equal(before + 1);
  });
});
