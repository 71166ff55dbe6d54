import { expect } from 'chai';
import { type Erasure, eraseMarked } from '../../core/connect/deletion/erase-marked.ts';
import { erasureWorker } from '../../core/connect/deletion/erasure-worker.ts';
import { startApp } from '../support/app.ts';
import { CleaningServer, makeCleaningProvider } from '../support/cleaning.ts';
import { type Connected, createSession, readConnection, throughProxy } from '../support/connect.ts';
import { withoutCalls } from '../support/operation-messages.ts';
import { size } from '../support/size.ts';
import { expectError } from '../support/std-error.ts';
import { changeIntegrations, clientWith, storeConnection, storeIntegration, storeTenant } from '../support/stored.ts';
import { use } from '../support/use.ts';

const NEVER = new AbortController().signal;
/** More connections than one statement marks as deleted. */
const MANY = size(6_000, 100_000);
const AT_ONCE = 10_000;
/** The number of connections that are cleaned up in one batch. */
const BATCH = 32;
const SOME = BATCH + 6;

describe('an integration that is deleted', function () {
  const server = use(this, () => CleaningServer.start());
  const cleaning = use(this, makeCleaningProvider);
  const app = use(this, () => startApp(cleaning));

  beforeEach(() => {
    server.cleaned.length = 0;
    Object.assign(server, { status: 204, delayMs: 0, mostAtOnce: 0 });
  });

  async function createCleaning(key: string, count: number): Promise<Connected[]> {
    const response = await app.api.post('/integrations', {
      unique_key: key,
      provider: 'cleaning',
      integration_config: { server: server.url },
    });
    expect(response.status, response.text).to.equal(200);
    return Promise.all(Array.from({ length: count }, () => storeConnection(app, { key })));
  }

  const remove = (key: string, api = app.api) => api.delete(`/integrations/${key}`);
  const rowsOf = async (table: string, id: number) =>
    Number(
      (
        await app.database
          .db(table)
          .where({ [table === 'integrations' ? 'id' : 'integration_id']: id })
          .count()
      )[0]?.['count'],
    );
  const rowIdOf = async (key: string): Promise<number> =>
    (await app.database.db('integrations').where({ unique_key: key }).whereNull('deleted_at').first('id')).id;

  /** Returns the erasure that the deletion has scheduled. */
  async function erasureOf(integrationId: number): Promise<Erasure> {
    const { environment_id: environmentId } =
      (await app.database.db('erasures').where({ integration_id: integrationId }).first()) ??
      expect.fail('no erasure is scheduled');
    return { environmentId, integrationId };
  }

  const erase = async (integrationId: number) => eraseMarked(app.services, await erasureOf(integrationId), NEVER);

  it('is gone at once with its connections, before anything is cleaned up', async () => {
    const [connected = expect.fail()] = await createCleaning('gone', 2);
    const token = await createSession(app, { allowed_integrations: ['gone'] });
    const { status, body } = await remove('gone');
    expect([status, body]).to.deep.equal([200, { success: true }]);
    expect(server.cleaned).to.deep.equal([]);

    expectError(await app.api.get('/integrations/gone'), 'unknown_provider_config');
    expectError(await app.api.patch('/integrations/gone', {}), 'unknown_provider_config');
    expectError(await remove('gone'), 'unknown_provider_config');
    expectError(await readConnection(app, connected), 'unknown_provider_config');
    expectError(await throughProxy(app, connected, { path: '/me' }), 'unknown_provider_config');
    expect((await app.api.get(`/connections?connectionId=${connected.connectionId}`)).body.connections).to.deep.equal([]);
    expect((await app.api.get('/integrations')).text).not.to.contain('gone');
    expect((await app.client(token).get('/integrations')).body.data).to.deep.equal([]);
    expectError(await app.client().get(`/oauth/connect/gone?connect_session_token=${token}`), 'unknown_provider_config');
    const reconnect = { connection_id: connected.connectionId, integration_id: 'gone' };
    expectError(await app.api.post('/connect/sessions/reconnect', reconnect), 'unknown_provider_config');
  });

  it('is marked with all its connections, which wait to be erased', async () => {
    await createCleaning('marked', 3);
    const id = await rowIdOf('marked');
    await remove('marked');
    const { db } = app.database;
    const [{ deleted_at }] = await db('integrations').where({ id });
    const marks = await db('connections').where({ integration_id: id }).pluck('deleted_at');
    expect(marks).to.have.length(3);
    for (const mark of marks) expect(mark).to.deep.equal(deleted_at);
    expect(await erasureOf(id)).to.deep.equal({ environmentId: 1, integrationId: id });
  });

  it('leaves its key to another integration, which has nothing of the old one', async () => {
    await createCleaning('reused', 1);
    await remove('reused');
    await storeIntegration(app.api, 'reused');
    expect((await app.api.get('/integrations/reused')).body.data.provider).to.equal('generic-oauth');
    expect((await app.api.get('/connections?integrationId=reused')).body.connections).to.deep.equal([]);
  });

  it('is cleaned up at the provider, a few connections at a time, and erased', async () => {
    const connections = await createCleaning('cleaned', SOME);
    const id = await rowIdOf('cleaned');
    await remove('cleaned');
    server.delayMs = 5;
    await erase(id);
    expect(server.cleaned.toSorted()).to.deep.equal(connections.map(({ connectionId }) => connectionId).toSorted());
    expect(server.mostAtOnce).to.be.within(2, 8);
    expect([await rowsOf('connections', id), await rowsOf('integrations', id)]).to.deep.equal([0, 0]);
    const logs = await app.database.db('operation_log').where({ type: 'deletion', provider_config_key: 'cleaned' });
    expect(logs.map((log) => log.connection_id).toSorted()).to.deep.equal(server.cleaned.toSorted());
    for (const { status, messages } of logs) expect([status, withoutCalls(messages)]).to.deep.equal(['success', []]);
  });

  it('is erased even if the provider fails, and the log says so', async () => {
    const [connected = expect.fail()] = await createCleaning('unhelped', 3);
    const id = await rowIdOf('unhelped');
    await remove('unhelped');
    server.status = 500;
    await erase(id);
    expect(server.cleaned).to.have.length(3);
    expect(await rowsOf('connections', id)).to.equal(0);
    const log = await app.database.db('operation_log').where({ type: 'deletion', connection_id: connected.connectionId }).first();
    expect(withoutCalls(log.messages)[0]).to.deep.include({ level: 'warn', facts: { reason: 'The hook could not be removed.' } });
  });

  it('is erased even if one of its rows cannot be decrypted', async () => {
    await createCleaning('damaged', 2);
    const id = await rowIdOf('damaged');
    const { db } = app.database;
    const [first] = await db('connections').where({ integration_id: id }).orderBy('id');
    await db('connections').where({ id: first.id }).update({ credentials: 'damaged' });
    await remove('damaged');
    await erase(id);
    expect(server.cleaned).to.have.length(1);
    expect([await rowsOf('connections', id), await rowsOf('integrations', id)]).to.deep.equal([0, 0]);
  });

  it('is erased even if its provider is gone', async () => {
    await createCleaning('orphaned', 1);
    const id = await rowIdOf('orphaned');
    await changeIntegrations(app, { provider: 'gone' }, 'orphaned');
    await remove('orphaned');
    await erase(id);
    expect(await rowsOf('integrations', id)).to.equal(0);
  });

  it('continues its erasure where it was interrupted', async () => {
    await createCleaning('cut-off', SOME);
    const id = await rowIdOf('cut-off');
    await remove('cut-off');
    const erasure = await erasureOf(id);
    const stop = new AbortController();
    server.delayMs = 20;
    const erased = eraseMarked(app.services, erasure, stop.signal).catch((error: unknown) => error);
    while (server.cleaned.length < 3) await app.database.db.raw('select 1');
    stop.abort(new Error('the service stops'));
    expect(await erased).to.be.instanceOf(Error);
    expect(await rowsOf('connections', id)).to.equal(SOME);
    await erase(id);
    expect(new Set(server.cleaned)).to.have.property('size', SOME);
    expect([await rowsOf('connections', id), await rowsOf('integrations', id)]).to.deep.equal([0, 0]);
  });

  it('is erased in several runs when one has no time for all of it', async () => {
    await createCleaning('sliced', SOME);
    const id = await rowIdOf('sliced');
    await remove('sliced');
    const erasure = await erasureOf(id);
    let minutes = 0;
    const now = () => {
      minutes += 1;
      return minutes * 60_000;
    };
    expect(await eraseMarked({ ...app.services, now }, erasure, NEVER), 'seconds until it goes on').to.equal(0);
    expect(await rowsOf('connections', id)).to.equal(SOME - BATCH);
    expect(await erase(id)).to.equal(undefined);
    expect(await rowsOf('integrations', id)).to.equal(0);
    expect(server.cleaned).to.have.length(SOME);
  });

  it('may be erased twice', async () => {
    await createCleaning('twice', 1);
    const id = await rowIdOf('twice');
    await remove('twice');
    const erasure = await erasureOf(id);
    for (let times = 0; times < 2; times += 1) await eraseMarked(app.services, erasure, NEVER);
    expect(server.cleaned).to.have.length(1);
  });

  it('can be large', async function () {
    this.timeout(size(120_000, 240_000));
    await storeIntegration(app.api, 'large');
    const id = await rowIdOf('large');
    for (let first = 1; first <= MANY; first += AT_ONCE) {
      await app.database.db.raw(
        `insert into connections (environment_id, integration_id, connection_id, credentials, tags)
         select 1, ?, 'large ' || n, 'x', jsonb_build_object('owner', n::text) from generate_series(?::int, ?::int) n`,
        [id, first, Math.min(first + AT_ONCE - 1, MANY)],
      );
    }
    const begun = performance.now();
    expect((await remove('large')).status).to.equal(200);
    expect(performance.now() - begun).to.be.below(20_000);
    expect(await app.database.db('connections').where({ integration_id: id }).whereNull('deleted_at').first()).to.equal(
      undefined,
    );
    await erase(id);
    expect([await rowsOf('connections', id), await rowsOf('integrations', id)]).to.deep.equal([0, 0]);
  });

  it('is erased by a worker', async () => {
    const connections = await createCleaning('queued', 2);
    const id = await rowIdOf('queued');
    await remove('queued');
    await erasureWorker(app.services).workOff();
    expect(await rowsOf('integrations', id)).to.equal(0);
    expect(server.cleaned).to.include.members(connections.map(({ connectionId }) => connectionId));
  });

  it('is deleted by only one of several requests at once', async () => {
    await storeIntegration(app.api, 'raced');
    const responses = await Promise.all([remove('raced'), remove('raced'), remove('raced')]);
    expect(responses.map(({ status }) => status).toSorted()).to.deep.equal([200, 404, 404]);
  });

  it('can be deleted with the right scope, and by its own environment only', async () => {
    await storeIntegration(app.api, 'kept');
    expectError(await remove('kept', await clientWith(app, 'environment:integrations:update')), 'forbidden');
    const other = await storeTenant(app, 'other');
    expectError(await remove('kept', other.api), 'unknown_provider_config');
    expect((await app.api.get('/integrations/kept')).status).to.equal(200);
    expect((await remove('kept', await clientWith(app, 'environment:integrations:delete'))).status).to.equal(200);
  });
});
