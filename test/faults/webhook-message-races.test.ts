import { expect } from 'chai';
import type { Knex } from 'knex';
import { withTransaction } from '../../core/db/transaction.ts';
import { deleteEndedBefore, trimEnded } from '../../core/webhook-delivery/backlog-store.ts';
import { claimDueMessages } from '../../core/webhook-delivery/claim-due.ts';
import { lockTarget, resumeTargets } from '../../core/webhook-delivery/target-store.ts';
import { Deliveries } from '../support/deliveries.ts';
import { until } from '../support/until.ts';
import { useEach } from '../support/use.ts';

const LEASE_SECONDS = 31;
const FIRST_WAIT_SECONDS = 7;
const HOUR_MS = 3_600_000;

describe('webhook messages that two processes change at once', function () {
  const deliveries = useEach(this, () => Deliveries.open());

  /** Claims a message and then does nothing, like a process that dies right after the claim. */
  const take = (id: number) =>
    withTransaction(deliveries.db, async (trx) => {
      const target = await lockTarget(trx, id);
      return target === undefined ? [] : await claimDueMessages(deliveries.app.services, trx, { target, limit: 1 });
    });

  const isWaiting = async () => {
    const { rows } = await deliveries.db.raw(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  };

  /** Begins the second work inside the transaction of the first, so that the second has to wait until the first is committed. */
  async function beside<T>(first: Parameters<typeof withTransaction>[1], second: () => Promise<T>): Promise<T> {
    let began: Promise<T> | undefined;
    await withTransaction(deliveries.db, async (trx) => {
      await first(trx);
      began = second();
      await until('the second waits for the first', isWaiting);
    });
    if (began === undefined) throw new Error('it did not begin');
    return began;
  }

  it('WHO-08: are sent again when their process dies after they were replayed in flight', async () => {
    const [id = ''] = await deliveries.send();
    expect(await take((await deliveries.target()).id)).to.have.length(1);
    await deliveries.app.api.post(`/webhook-messages/${id}/replay`);
    await deliveries.advance(LEASE_SECONDS);
    await deliveries.deliver();
    await deliveries.attempted(1);
    await deliveries.advance(FIRST_WAIT_SECONDS);
    await deliveries.untilStatus('delivered', 1);
    expect((await deliveries.attempts()).map(({ error }) => error)).to.deep.equal(['interrupted', null]);
  });

  it('go to the URL that was set while a worker waited for its target', async () => {
    await deliveries.send();
    const { id } = await deliveries.target();
    await deliveries.setUrl(null);
    await take(id);
    expect((await deliveries.messages())[0]?.status).to.equal('paused');
    const setAgain = async (trx: Parameters<typeof resumeTargets>[0]) => {
      await trx('environments').where({ id: 1 }).update({ webhook_url: deliveries.application.url });
      await resumeTargets(trx, 1, 'primary');
    };
    const taken = await beside(setAgain, () => take(id));
    expect(taken.map(({ url }) => url)).to.deep.equal([deliveries.application.url]);
    expect((await deliveries.target()).paused_at).to.equal(null);
  });

  const PURGES: Readonly<Record<string, (targetId: number) => Promise<number>>> = {
    'their age': () => deleteEndedBefore(deliveries.db, new Date(Date.now() + HOUR_MS), 100),
    'their size': (targetId) => trimEnded(deliveries.db, targetId, 1),
  };
  for (const [reason, purge] of Object.entries(PURGES)) {
    it(`are kept when they are replayed while they are removed for ${reason}`, async () => {
      await deliveries.send();
      const { id } = await deliveries.target();
      const ended = { status: 'failed', ended_at: deliveries.db.fn.now(), next_attempt_at: null };
      await deliveries.db('webhook_messages').update(ended);
      const replay = (trx: Knex.Transaction) =>
        trx('webhook_messages').update({ status: 'pending', ended_at: null, next_attempt_at: trx.fn.now() });
      expect(await beside(replay, () => purge(id))).to.equal(0);
      expect((await deliveries.messages()).map(({ status }) => status)).to.deep.equal(['pending']);
    });
  }
});
