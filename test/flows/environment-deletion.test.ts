import { expect } from 'chai';
import { eraseMarked } from '../../core/connect/deletion/erase-marked.ts';
import { countsSince } from '../../core/journal/operation-log/count-store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { enter, finish, type Returning, returnFromProvider } from '../support/authorization.ts';
import { CleaningServer, makeCleaningProvider } from '../support/cleaning.ts';
import { createIntegration, createSession, readConnection, throughProxy } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration, storeKey, storeTenant, type Tenant } from '../support/stored.ts';
import { storeMessage } from '../support/stored-messages.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const NEVER = new AbortController().signal;
/**
 * Five times the two seconds within which every cache must forget a deleted environment, because other tests run beside this one.
 */
const WITHIN_MS = 10_000;

describe('an environment that is deleted', function () {
  const server = use(this, () => CleaningServer.start());
  const provider = use(this, startFakeProvider);
  const cleaning = use(this, makeCleaningProvider);
  const app = use(this, () => startApp(cleaning));
  let account: TestApp['api'];
  let made = 0;

  before(() => {
    account = app.client(app.accountKey);
  });

  const fresh = (): Promise<Tenant> => {
    made += 1;
    return storeTenant(app, `doomed-${made}`);
  };
  const remove = (id: number) => account.delete(`/environments/${id}`);

  /** Waits until a request gets this status, and fails if caches keep what was deleted for longer than the limit. */
  const untilStatus = (status: number, ask: () => Promise<{ readonly status: number }>) =>
    until(`the status is ${status}`, async () => (await ask()).status === status, WITHIN_MS);

  async function erase(environmentId: number): Promise<void> {
    const due = await app.database.db('erasures').where({ environment_id: environmentId }).pluck('integration_id');
    expect(due).to.deep.equal([null]);
    await eraseMarked(app.services, { environmentId }, NEVER);
  }

  /** Counts the rows of each table that belong to an environment, except the audit trail, which outlives it. */
  async function rowsOf(environmentId: number): Promise<Record<string, number>> {
    const { db } = app.database;
    const { rows }: { rows: { name: string }[] } = await db.raw(
      `select table_name as name from information_schema.columns
       where column_name = 'environment_id' and table_schema = 'public' and table_name <> 'audit_entries'`,
    );
    const counted = await Promise.all(
      rows.map(async ({ name }) => {
        const [row] = await db(name).where({ environment_id: environmentId }).count();
        return [name, Number(row?.['count'])] as const;
      }),
    );
    const [own] = await db('environments').where({ id: environmentId }).count();
    return Object.fromEntries([...counted, ['environments', Number(own?.['count'])] as const].filter(([, count]) => count > 0));
  }

  it('is closed to its keys, on every route', async () => {
    const { environmentId, api } = await fresh();
    const { secret } = await storeKey(app, ['environment:*'], environmentId);
    const other = app.client(secret);
    for (const client of [api, other]) expect((await client.get('/integrations')).status).to.equal(200);
    expect((await remove(environmentId)).status).to.equal(204);
    for (const client of [api, other]) await untilStatus(401, () => client.get('/integrations'));
    expectError(await api.get('/connections'), 'unknown_account');
    const late = await storeKey(app, ['environment:*'], environmentId);
    expectError(await app.client(late.secret).get('/connections'), 'unknown_account');
  });

  it('is closed to its sessions, and its flows in progress end', async () => {
    const { environmentId, api } = await fresh();
    await createIntegration({ ...app, api }, provider, { key: 'fake' });
    const token = await createSession({ ...app, api });
    const back: Returning = await returnFromProvider({ ...app, api }, { token });
    await remove(environmentId);
    expectError(await app.client(token).get('/integrations'), 'unknown_connect_session_token');
    expect((await enter({ ...app, api }, { token })).status).to.equal(401);
    expect((await finish(back)).status).to.equal(400);
    expect(await app.database.db('connections').where({ environment_id: environmentId })).to.deep.equal([]);
  });

  it('lets nobody use its credentials, not even cached ones', async () => {
    const { environmentId, api } = await fresh();
    await createIntegration({ ...app, api }, provider, { key: 'fake' });
    const connected = await storeConnection(app, { key: 'fake', environmentId });
    await throughProxy({ ...app, api }, connected, { path: '/me' });
    const { connections } = app.services.proxy;
    const { connection } = await connections.find(environmentId, 'fake', connected.connectionId);
    expect(connection.connectionId).to.equal(connected.connectionId);
    await remove(environmentId);
    await untilStatus(404, async () => {
      await app.database.db.raw('select 1'); // gives the event loop a turn, without which the notice cannot arrive
      const found = await connections.find(environmentId, 'fake', connected.connectionId).catch(() => undefined);
      return { status: found === undefined ? 404 : 200 };
    });
    await untilStatus(401, () => readConnection({ ...app, api }, connected));
  });

  it('is in no list, and its name is free again', async () => {
    const { environmentId } = await fresh();
    const named = async () => (await account.get('/environments')).body.data.map(({ name }: { name: string }) => name);
    const name = `doomed-${made}`;
    expect(await named()).to.include(name);
    await remove(environmentId);
    expect(await named()).not.to.include(name);
    expectError(await remove(environmentId), 'not_found');
    const { body } = await account.post('/environments', { name });
    expect(body.data.id).not.to.equal(environmentId);
    expect(await named()).to.include(name);
  });

  it('is cleaned up at the provider and erased, its own row last', async () => {
    const { environmentId, api } = await fresh();
    const input = { provider: 'cleaning', integration_config: { server: server.url } };
    for (const unique_key of ['one', 'two']) await api.post('/integrations', { unique_key, ...input });
    await storeIntegration(api, 'plain');
    const keys = ['one', 'one', 'two', 'plain'];
    const connections = await Promise.all(keys.map((key) => storeConnection(app, { key, environmentId })));
    await createSession({ ...app, api });
    app.services.activity.begin({ type: 'proxy', operation: 'GET /me', environmentId }).end('success');
    await app.services.activity.flush();
    await remove(environmentId);
    expect(server.cleaned).to.deep.equal([]);
    const before = await rowsOf(environmentId);
    expect(before).to.include({ connections: 4, integrations: 3, connect_sessions: 1, environments: 1 });
    expect(before).to.include.keys('operation_log', 'operation_counts');

    await erase(environmentId);
    const cleaned = connections.filter(({ key }) => key !== 'plain').map(({ connectionId }) => connectionId);
    expect(server.cleaned.toSorted()).to.deep.equal(cleaned.toSorted());
    expect(await rowsOf(environmentId)).to.deep.equal({});
    await eraseMarked(app.services, { environmentId }, NEVER);
  });

  it('is erased with rows that a request in progress added after the deletion', async () => {
    const { environmentId, api } = await fresh();
    await storeIntegration(api, 'early');
    await remove(environmentId);
    const late = { unique_key: 'late', provider: 'generic-oauth', display_name: 'l', client: '', mac: '' };
    await app.database.db('integrations').insert({ environment_id: environmentId, ...late });
    await erase(environmentId);
    expect(await rowsOf(environmentId)).to.deep.equal({});
  });

  it('is erased with any number of messages, a bounded number at a time', async () => {
    const { environmentId } = await fresh();
    const { db } = app.services;
    const messageId = await storeMessage(app, { environmentId });
    await db.raw(
      `insert into webhook_messages (message_id, environment_id, target_id, type, content)
       select 'msg_' || n, environment_id, target_id, type, content from webhook_messages, generate_series(1, 6000) n
       where message_id = ?`,
      [messageId],
    );
    await db.raw(`
      create function refuse_many() returns trigger language plpgsql as $$ begin
        if (select count(*) from gone) > 5000 then raise 'too many at once'; end if; return null; end $$;
      create trigger bounded after delete on webhook_messages referencing old table as gone
        for each statement execute function refuse_many()`);
    await remove(environmentId);
    await erase(environmentId);
    expect(await db('environments').where({ id: environmentId })).to.deep.equal([]);
    await db.raw('drop function refuse_many cascade');
  });

  it('is erased with its activity, and later counts do not bring it back', async () => {
    const { environmentId } = await fresh();
    const { activity, db } = app.services;
    const began = activity.begin({ type: 'refresh', operation: 'refresh', environmentId });
    activity.count('proxy', { environmentId, status: 'success' });
    await activity.flush();
    expect(await countsSince(db, environmentId, new Date(0))).to.have.length(1);
    await remove(environmentId);
    await erase(environmentId);
    activity.count('delivery', { environmentId, status: 'failure' });
    began.end('success');
    await activity.flush();
    expect(await rowsOf(environmentId)).to.deep.equal({});
  });

  it('is not erased without having been deleted', async () => {
    const { environmentId, api } = await fresh();
    await storeIntegration(api, 'live');
    await eraseMarked(app.services, { environmentId }, NEVER);
    expect((await api.get('/integrations/live')).status).to.equal(200);
  });

  it('is erased without any row of another environment', async () => {
    const [doomed, kept] = [await fresh(), await fresh()];
    for (const { environmentId, api } of [doomed, kept]) {
      await storeIntegration(api, 'same');
      await storeConnection(app, { key: 'same', connectionId: 'same', environmentId });
    }
    await app.services.activity.flush(); // so that no earlier activity is written between the two counts
    const before = await rowsOf(kept.environmentId);
    expect(before).to.include.keys('operation_log');
    await remove(doomed.environmentId);
    await erase(doomed.environmentId);
    expect(await rowsOf(kept.environmentId)).to.deep.equal(before);
    expect((await readConnection({ ...app, api: kept.api }, { connectionId: 'same', key: 'same' })).status).to.equal(200);
  });

  it('can be deleted by its account only', async () => {
    const { environmentId, api } = await fresh();
    const [other] = await app.database.db('accounts').insert({ name: 'other' }, ['id']);
    await app.database.db('environments').where({ id: environmentId }).update({ account_id: other.id });
    expectError(await remove(environmentId), 'not_found');
    expect((await api.get('/integrations')).status).to.equal(200);
  });
});
