import { expect } from 'chai';
import { storeRenewed } from '../../../core/credentials/outcome-store.ts';
import { refreshWorker } from '../../../core/credentials/refresh-worker.ts';
import { withTransaction } from '../../../core/db/transaction.ts';
import { refreshDue } from '../../support/due-work.ts';
import { oauth2Of } from '../../support/oauth2-of.ts';
import { useEach } from '../../support/use.ts';
import { Gateway, RULE } from './gateway.ts';

describe('the refresh worker', function () {
  const gateway = useEach(this, () => Gateway.open());

  it('refreshes credentials that expire soon or were not refreshed for a day, and leaves the others alone', async () => {
    const ending = await gateway.connect({ expiresInSeconds: 60 });
    const idle = await gateway.connect({ expiresInSeconds: undefined });
    await gateway.change(idle.id, { refreshed_at: gateway.fromNow(-25 * 3600) });
    const young = await gateway.connect({ expiresInSeconds: undefined });
    const lasting = await gateway.connect({ expiresInSeconds: 3000 });
    const lost = await gateway.connect();
    await gateway.change(lost.id, { state: 'needs_reauth' });
    const waiting = await gateway.connect();
    await gateway.change(waiting.id, { refresh_after: gateway.fromNow(60) });
    await gateway.change(ending.id, { refreshed_at: gateway.fromNow(-3540) });

    expect(await refreshDue(gateway.instance())).to.equal(2);
    const generations = await Promise.all(
      [ending, idle, young, lasting, lost, waiting].map(async ({ id }) => (await gateway.read(id)).generation),
    );
    expect(generations).to.deep.equal([2, 2, 1, 1, 1, 1]);
  });

  it('records that credentials have expired which nothing can refresh, so that nobody takes the connection for healthy', async () => {
    const ended = await gateway.connect({ expiresInSeconds: -1, refreshToken: undefined });
    const valid = await gateway.connect({ expiresInSeconds: 60, refreshToken: undefined });
    await refreshDue(gateway.instance());
    expect(gateway.tokenCalls).to.equal(0);
    expect(await gateway.row(ended.id)).to.include({ state: 'needs_reauth', state_cause: 'expired' });
    expect(await gateway.row(valid.id)).to.include({ state: 'healthy', state_cause: null });
  });

  it('begins with the credentials that have been due longest', async () => {
    const [late, later] = [await gateway.connect({ expiresInSeconds: -1 }), await gateway.connect({ expiresInSeconds: -100 })];
    await refreshWorker(gateway.instance(), { atOnce: 1 }).workOff();
    const spent = gateway.provider.ledger.of('token').map(({ params }) => params['refresh_token']);
    expect(spent).to.deep.equal([oauth2Of(later).refreshToken, oauth2Of(late).refreshToken]);
  });

  it('never makes more calls at one provider than it has slots for', async () => {
    await Promise.all(Array.from({ length: 30 }, () => gateway.connect()));
    const barrier = gateway.provider.barrier('token');
    const worked = refreshDue(gateway.instance());
    await barrier.arrived(10);
    expect(gateway.tokenCalls).to.equal(10);
    barrier.open();
    expect(await worked).to.equal(30);
    expect(gateway.tokenCalls).to.equal(30);
  });

  it('claims nothing of an origin where ten calls of all instances have had no response for long', async () => {
    const connections = await Promise.all(Array.from({ length: 12 }, () => gateway.connect()));
    const { db } = gateway.database;
    for (const { id } of connections.slice(0, 10)) await gateway.lease(id, 'two/x', 30);
    await db('refreshes')
      .whereNotNull('owner')
      .update({ leased_at: gateway.fromNow(-6) });
    expect(await refreshDue(gateway.instance())).to.equal(0);
    await db('refreshes')
      .where({ connection_id: connections[0]?.id })
      .update({ leased_at: gateway.fromNow(-4) });
    expect(await refreshDue(gateway.instance())).to.equal(2);
  });

  it('shares the rows with other workers, and each row is refreshed once', async () => {
    await Promise.all(Array.from({ length: 30 }, () => gateway.connect()));
    const counts = await Promise.all(['one', 'two', 'three'].map((name) => refreshDue(gateway.instance(name))));
    expect(counts.reduce((sum, count) => sum + count)).to.equal(30);
    expect(gateway.tokenCalls).to.equal(30);
  });

  it('does not claim a connection that was refreshed while the worker was busy with others', async () => {
    const connections = await Promise.all(Array.from({ length: 21 }, () => gateway.connect({ expiresInSeconds: undefined })));
    for (const { id } of connections) await gateway.change(id, { refreshed_at: gateway.fromNow(-25 * 3600) });
    const barrier = gateway.provider.barrier('token');
    const deps = gateway.instance();
    const worked = refreshDue(deps);
    await barrier.arrived(10);
    const [last] = await gateway.unclaimed();
    if (last === undefined) throw new Error('all are claimed');
    await storeRenewed(deps, last, { credentials: last.credentials, found: {}, rule: RULE });
    barrier.open();
    expect(await worked).to.equal(20);
    expect(gateway.tokenCalls).to.equal(20);
    expect(await gateway.row(last.id)).to.include({ generation: 2 });
  });

  it('does not write to the indexes of connections', async () => {
    const { deps, database } = gateway;
    const connection = await gateway.connect();
    await withTransaction(database.db, async (trx) => {
      await storeRenewed({ ...deps, db: trx }, connection, { credentials: connection.credentials, found: {}, rule: RULE });
      const counts = trx('pg_stat_xact_user_tables').where({ relname: 'connections' });
      expect(await counts.first('n_tup_upd', 'n_tup_hot_upd')).to.deep.equal({ n_tup_upd: 1, n_tup_hot_upd: 1 });
    });
  });

  it('claims nothing once the process is closing, and stores the results of the calls under way', async () => {
    await Promise.all(Array.from({ length: 30 }, () => gateway.connect()));
    const barrier = gateway.provider.barrier('token');
    const deps = gateway.instance();
    const worked = refreshDue(deps);
    await barrier.arrived(10);
    deps.refreshing.close();
    barrier.open();
    await worked;
    expect(gateway.tokenCalls).to.equal(10);
    expect(await gateway.database.db('connections').where({ generation: 2 }).pluck('id')).to.have.lengthOf(10);
    expect(await gateway.database.db('refreshes').whereNotNull('owner')).to.deep.equal([]);
  });

  it('goes on after a failure', async () => {
    await gateway.connect();
    await gateway.connect();
    gateway.provider.next('token', { response: { status: 500 } });
    expect(await refreshDue(gateway.instance())).to.equal(2);
    expect(await gateway.database.db('connections').orderBy('generation').pluck('generation')).to.deep.equal([1, 2]);
  });

  it('corrects the origin of a row that differs from that of the call, before it makes the call', async () => {
    const { id } = await gateway.connect();
    await gateway.database.db('refreshes').update({ token_origin: 'https://former.example' });
    expect(await refreshDue(gateway.instance())).to.equal(2);
    expect(gateway.tokenCalls).to.equal(1);
    expect(await gateway.database.db('refreshes').first()).to.include({ connection_id: id, token_origin: gateway.origin });
  });

  it('waits an hour with a connection whose call cannot even be attempted', async () => {
    const { id } = await gateway.connect();
    await gateway.database.db('integrations').update({ provider: 'gone' });
    expect(await refreshDue(gateway.instance())).to.equal(1);
    const row = await gateway.row(id);
    expect(row).to.include({ refresh_owner: null, refresh_unknown: false });
    expect(Number(row['due_at'])).to.be.within(Date.now() + 3_500_000, Date.now() + 3_700_000);
  });
});
