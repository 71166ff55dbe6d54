import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { integrationByKey } from '../../../core/connections/integrations/integration-store.ts';
import { withTransaction } from '../../../core/db/transaction.ts';
import { DeliveryWriter, type NewDelivery } from '../../../core/webhook-ingress/delivery-writer.ts';
import { matchDeliveries } from '../../../core/webhook-ingress/match-worker.ts';
import { startApp } from '../../support/app.ts';
import { createHook, firstEnvironmentUuid, makeHooked, matchAll } from '../../support/hooked.ts';
import { storeConnection } from '../../support/stored.ts';
import { enableWebhooks } from '../../support/stored-webhooks.ts';
import { use } from '../../support/use.ts';

const MEBIBYTE = 1024 * 1024;

describe('deliveries that are stored', function () {
  const hooked = use(this, makeHooked);
  const app = use(this, () => startApp({ env: hooked.env }));
  let integrationId: number;

  before(async () => {
    await createHook(app.api, await firstEnvironmentUuid(app));
    integrationId = (await integrationByKey(app.services, 1, 'hook'))?.id ?? 0;
    await enableWebhooks(app.services.db);
  });

  function delivery(changes: Partial<NewDelivery> = {}, event: object = { connections: [] }): NewDelivery {
    const content = JSON.stringify({ events: [{ payload: {}, ...event }], received: [null], headers: {} });
    return {
      environmentId: 1,
      integrationId,
      verified: true,
      content,
      key: randomBytes(32),
      repeatsWithinMs: 60_000,
      ...changes,
    };
  }

  const write = (...deliveries: NewDelivery[]) => Promise.allSettled(deliveries.map((one) => app.services.deliveries.write(one)));

  it('are written in one transaction when they arrive together', async () => {
    const transactions = async () =>
      (await app.services.db('webhook_deliveries').distinct(app.services.db.raw('xmin::text'))).length;
    const written = await write(...Array.from({ length: 100 }, () => delivery()));
    expect(written).to.deep.equal(Array(100).fill({ status: 'fulfilled', value: true }));
    expect(await transactions()).to.equal(1);
    expect(await matchAll(app)).to.have.length(100);
  });

  it('are stored once for each key, within a batch and across batches', async () => {
    const one = delivery();
    const values = (await write(one, one, delivery(), one)).map((result) => result.status === 'fulfilled' && result.value);
    expect(values).to.deep.equal([true, false, true, false]);
    expect(await app.services.deliveries.write(one)).to.equal(false);
    expect(await app.services.deliveries.write({ ...one, verified: false, key: randomBytes(32) })).to.equal(true);
    await matchAll(app);
  });

  it('are stored although another one in their batch cannot be', async () => {
    const gone = delivery({ integrationId: 987_654 });
    const results = await write(delivery(), gone, delivery());
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    await matchAll(app);
  });

  it('are handled although another one in their batch cannot be read', async () => {
    const before = (await matchAll(app)).length;
    await write(...Array.from({ length: 5 }, () => delivery()));
    const rows = await app.services.db('webhook_deliveries').orderBy('id');
    await app.services
      .db('webhook_deliveries')
      .where({ id: rows[2].id })
      .update({ content: Buffer.from('not an envelope') });
    await matchDeliveries(app.services);
    const left = await app.services.db('webhook_deliveries');
    expect(left.map(({ id }) => id)).to.deep.equal([rows[2].id]);
    expect(app.logLines.filter((line) => line.includes('a delivery could not be matched'))).to.have.length(1);
    await app.services.db('webhook_deliveries').delete();
    expect((await matchAll(app)).length - before).to.equal(4);
  });

  it('are retried after ever longer waits where they cannot be read', async () => {
    await write(delivery());
    await app.services.db('webhook_deliveries').update({ content: Buffer.from('not an envelope') });
    const failed = new Map();
    let now = 0;
    const services = { ...app.services, now: () => now, random: () => 0.999 };
    const linesBefore = app.logLines.length;
    const attempts = () =>
      app.logLines.slice(linesBefore).filter((line) => line.includes('a delivery could not be matched')).length;
    const made: number[] = [];
    for (now of [0, 900, 1_000, 2_900, 3_000, 6_900, 7_000]) {
      await matchDeliveries(services, undefined, failed);
      made.push(attempts());
    }
    expect(made).to.deep.equal([1, 1, 2, 2, 3, 3, 4]);
    await app.services.db('webhook_deliveries').delete();
    now = 1_000_000;
    expect(await matchDeliveries(services, undefined, failed)).to.equal(undefined);
    expect(failed.size).to.equal(0);
  });

  it('are refused when more of them wait than memory may hold', async () => {
    const writer = new DeliveryWriter(app.services);
    const content = 'x'.repeat(4 * MEBIBYTE);
    const results = await withTransaction(app.services.db, async (trx) => {
      await trx.raw('lock table webhook_deliveries in exclusive mode');
      const waiting = Array.from({ length: 40 }, () => writer.write(delivery({ content })));
      const settled = Promise.allSettled(waiting);
      await Promise.any(
        waiting.map((one) =>
          one.then(
            () => Promise.reject(new Error('written')),
            ({ code }) => expect(code).to.equal('storage_unavailable'),
          ),
        ),
      );
      return { settled };
    });
    const refused = (await results.settled).filter(({ status }) => status === 'rejected');
    expect(refused.length).to.be.within(20, 39);
    await app.services.db('webhook_deliveries').delete();
  });

  it('are logged as forwarded only if there is a URL to forward them to', async () => {
    const { db, activity } = app.services;
    const forwarded = async () => {
      await write(delivery());
      await matchAll(app);
      await activity.flush();
      const latest = db('operation_log').where({ operation: 'received' }).orderBy('created_at', 'desc');
      return (await latest.first(db.raw(`messages -> 0 -> 'facts' -> 'forwarded' as forwarded`))).forwarded;
    };
    expect(await forwarded()).to.equal(true);
    const { webhook_url } = await db('environments').where({ id: 1 }).first('webhook_url');
    await db('environments').where({ id: 1 }).update({ webhook_url: null });
    expect(await forwarded()).to.equal(false);
    await db('environments').where({ id: 1 }).update({ webhook_url });
  });

  it('go to every connection of the integration when the provider says so', async () => {
    const before = (await matchAll(app)).length;
    const some = await Promise.all(Array.from({ length: 3 }, () => storeConnection(app, { key: 'hook' })));
    await write(delivery({}, { connections: [{ by: 'broadcast' }] }));
    const sent = (await matchAll(app)).slice(before).map(({ connectionId }) => connectionId);
    expect(sent).to.have.members(some.map(({ connectionId }) => connectionId));
  });
});
