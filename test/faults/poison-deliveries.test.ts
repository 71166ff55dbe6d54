import { expect } from 'chai';
import { withTransaction } from '../../core/db/transaction.ts';
import { claimDueMessages } from '../../core/webhook-delivery/claim-due.ts';
import { lockTarget } from '../../core/webhook-delivery/target-store.ts';
import { Deliveries } from '../support/deliveries.ts';
import { FakeApplication } from '../support/fake-application.ts';
import { Installation } from '../support/installation.ts';
import type { Exchange } from '../support/scripted-server/scripted-server.ts';
import { until } from '../support/until.ts';

const LEASE_SECONDS = 31;
const MOST = 5;
const OTHERS = 20;

/**
 * An application to which a certain message is deadly: it kills the process that sends it, as a fault that the message triggers
 * would.
 */
class DeadlyApplication extends FakeApplication {
  deadly: string | undefined;
  onDeadly: () => void = () => undefined;

  protected override received({ request }: Exchange): void {
    if (request.headers['webhook-id'] === this.deadly) this.onDeadly();
  }
}

const isParked = async (deliveries: Deliveries) => (await deliveries.messages())[0]?.status === 'failed';

describe('poison messages', function () {
  this.timeout(120_000);

  it('JOB-01: one that kills its worker is parked after five attempts, and the others get through', async () => {
    await using installation = await Installation.open();
    const { env, database } = installation;
    await using deliveries = await Deliveries.open({ env, database });
    await using application = new DeadlyApplication();
    await application.listen();
    await deliveries.setUrl(application.url);
    const [deadly = ''] = await deliveries.send();
    const others = await deliveries.send(OTHERS);
    application.deadly = deadly;

    let deaths = 0;
    while (!(await isParked(deliveries)) && deaths <= MOST) {
      const worker = await installation.startProcess({ SVC_ROLE: 'worker', SVC_LOG_LEVEL: 'info' });
      let isDead = false;
      application.onDeadly = () => worker.process.signal('SIGKILL');
      void worker.process.exit.then(() => {
        isDead = true;
      });
      while (!isDead && !(await isParked(deliveries))) {
        await until('it is quiet or dead', async () => isDead || (await deliveries.isQuiet()));
        if (!isDead) await deliveries.advance(await deliveries.nextSeconds());
      }
      if (isDead) deaths += 1;
      // The clock advances only until the lease of the killed process expires. The wait for the next attempt comes separately,
      // because each message has its own.
      await installation.advance(LEASE_SECONDS);
    }
    expect(deaths).to.equal(MOST);
    await deliveries.passUntilEnded(2_200);
    await deliveries.untilStatus('delivered', OTHERS);
    const [message] = await deliveries.messages();
    expect(message).to.include({ message_id: deadly, status: 'failed' });
    expect(application.ledger.entries.map(({ headers }) => headers['webhook-id'])).to.include.members([...others]);
    const attempts = await deliveries.db('webhook_attempts').where({ message_id: message?.id }).pluck('error');
    expect(attempts).to.deep.equal(Array(MOST).fill('interrupted'));
  });

  it('JOB-01: one that always fails inside the service is parked after five attempts, and the others get through', async () => {
    await using deliveries = await Deliveries.open();
    const [poison, ...others] = await deliveries.send(1 + OTHERS);
    await deliveries
      .db('webhook_messages')
      .where({ message_id: poison })
      .update({ content: Buffer.from('no envelope') });
    await deliveries.deliver();
    await deliveries.quiet();
    await deliveries.pass(48 * 3_600);
    const [message] = await deliveries.messages();
    expect(message).to.include({ message_id: poison, status: 'failed', tries: MOST });
    expect([...deliveries.received().keys()]).to.have.members(others);
    expect((await deliveries.target()).failures, 'no failure of the target').to.equal(0);
  });

  it('JOB-01: one that never ends is cut off each time, and the others get through', async () => {
    await using deliveries = await Deliveries.open();
    deliveries.application.next('webhook', { delivery: 'hang' });
    await deliveries.deliver({ attemptTimeoutMs: 300 });
    await deliveries.send(1 + OTHERS);
    await deliveries.untilStatus('delivered', OTHERS);
    await deliveries.attempted(1 + OTHERS);
    expect((await deliveries.attempts()).map(({ error }) => error)).to.include('timeout');
  });

  it('an unfinished message is taken over once its lease is over, not before', async () => {
    await using deliveries = await Deliveries.open();
    await deliveries.send();
    const { id } = await deliveries.target();
    const take = () =>
      withTransaction(deliveries.db, async (trx) => {
        const target = await lockTarget(trx, id);
        return target === undefined ? [] : await claimDueMessages(deliveries.app.services, trx, { target, limit: MOST });
      });
    expect(await take()).to.have.lengthOf(1);
    await deliveries.deliver();
    await deliveries.advance(25);
    expect(await take()).to.deep.equal([]);
    await deliveries.advance(6);
    await deliveries.attempted(1);
    await deliveries.advance(6);
    await deliveries.untilStatus('delivered', 1);
    expect((await deliveries.attempts()).map(({ error }) => error)).to.deep.equal(['interrupted', null]);
    expect((await deliveries.messages())[0]?.tries).to.equal(2);
  });
});
