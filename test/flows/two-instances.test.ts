import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { connect, connectAgain, throughProxy } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { storeKey } from '../support/stored.ts';
import { use } from '../support/use.ts';

/**
 * The limit for a change to take effect on both instances: above the promised two seconds, because other tests run at the same
 * time, and below the lifetime of cache entries.
 */
const WITHIN_MS = 8_000;
const CACHE_MS = 10_000;

/** Repeats a request until its response has this status. @returns how many milliseconds that took */
async function millisecondsUntil(status: number, ask: () => Promise<{ readonly status: number }>): Promise<number> {
  const start = performance.now();
  while ((await ask()).status !== status) {
    if (performance.now() - start > 2 * WITHIN_MS) throw new Error(`${status} did not come`);
  }
  return performance.now() - start;
}

describe('two instances on one database', function () {
  const provider = use(this, startFakeProvider);
  const database = use(this, cloneDatabase);
  const env = newServiceEnv();
  const one = use(this, () => startApp({ env, database }));
  const two = use(this, () => startApp({ env, database }));

  before(() => connect(one, provider));

  /** Revokes a key in the database without sending a notice, as if the notice had been lost. */
  const revokeSilently = (id: number) => database.db('api_keys').where({ id }).update({ revoked_at: new Date() });

  it('both stop taking a key within two seconds of its revocation (AUT-03)', async () => {
    const { id, secret } = await storeKey(one, ['environment:*']);
    const clients = [one, two].map((app) => app.client(secret));
    for (const api of clients) expect((await api.get('/providers')).status).to.equal(200);
    const body = { environment_id: 1, key_id: id };
    const revoked = await one.client(one.accountKey).call('DELETE', '/environment/api-keys', { body });
    expect(revoked.body).to.deep.equal({ success: true });
    for (const api of clients) expect(await millisecondsUntil(401, () => api.get('/providers'))).to.be.below(WITHIN_MS);
  });

  it('both stop using a connection within two seconds of its deletion', async () => {
    const connected = await connectAgain(one);
    const calls = [one, two].map((app) => () => throughProxy(app, connected, { path: '/me' }));
    for (const call of calls) expect((await call()).status).to.equal(200);
    await one.api.delete(`/connections/${connected.connectionId}?provider_config_key=fake`);
    for (const call of calls) expect(await millisecondsUntil(404, call)).to.be.below(WITHIN_MS);
  });

  it('learn of a revocation when their caches expire, even without a notice', async () => {
    const { id, secret } = await storeKey(one, ['environment:*']);
    const api = two.client(secret);
    expect((await api.get('/providers')).status).to.equal(200);
    await revokeSilently(id);
    expect((await api.get('/providers')).status).to.equal(200);
    await two.clock.advance(CACHE_MS);
    expect((await api.get('/providers')).status).to.equal(401);
  });

  it('learn of a deletion when their caches expire, even without a notice', async () => {
    const connected = await connectAgain(one);
    const call = () => throughProxy(two, connected, { path: '/me' });
    expect((await call()).status).to.equal(200);
    await database.db('connections').where({ connection_id: connected.connectionId }).update({ deleted_at: new Date() });
    expect((await call()).status).to.equal(200);
    await two.clock.advance(CACHE_MS);
    expect((await call()).status).to.equal(404);
  });

  it('forget everything when the connection that listens was lost', async () => {
    const { id, secret } = await storeKey(one, ['environment:*']);
    const api = two.client(secret);
    expect((await api.get('/providers')).status).to.equal(200);
    await revokeSilently(id);
    const { rowCount } = await database.db.raw('select pg_terminate_backend(backend_pid) from instances');
    expect(rowCount, 'listeners').to.equal(2);
    expect(await millisecondsUntil(401, () => api.get('/providers'))).to.be.below(WITHIN_MS);
  });
});
