import { expect } from 'chai';
import { Deliveries } from '../support/deliveries.ts';
import { Installation, type RealService } from '../support/installation.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';

const MESSAGES = size(150, 1_000);
const KILLS = size(4, 100);
const LEASE_SECONDS = 31;
const PARALLEL = 5;

describe('workers that are killed while they deliver', function () {
  this.timeout(size(60_000, 1_200_000));
  const installation = use(this, () => Installation.open());
  const deliveries = use(this, () => Deliveries.open(installation));

  const startWorker = (): Promise<RealService> => installation.startProcess({ SVC_ROLE: 'worker', SVC_LOG_LEVEL: 'info' });

  /** Kills a worker once it has sent `count` messages. @returns the IDs of the messages that it was sending */
  async function killAfter(worker: RealService, deliveries: Deliveries, count: number): Promise<readonly string[]> {
    const { ledger } = deliveries.application;
    await ledger.arrived('webhook', ledger.entries.length + count);
    worker.process.signal('SIGKILL');
    expect((await worker.process.exit).signal).to.equal('SIGKILL');
    return await deliveries
      .db('webhook_messages')
      .where('status', 'pending')
      .whereRaw('attempt_until > now()')
      .pluck('message_id');
  }

  it(`DUR-03: lose none of ${MESSAGES} messages in ${KILLS} kills, and repeat only messages that were in flight`, async () => {
    const random = new SeededRandom(3).next;
    const ids = await deliveries.sendTogether(MESSAGES);
    const interruptions = new Map<string, number>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const worker = await startWorker();
      const inFlight = await killAfter(worker, deliveries, 1 + Math.floor(random() * size(30, 8)));
      expect(inFlight.length, 'in flight at once').to.be.at.most(PARALLEL);
      for (const id of inFlight) interruptions.set(id, (interruptions.get(id) ?? 0) + 1);
      await installation.advance(LEASE_SECONDS);
    }
    expect(interruptions.size, 'some were really interrupted').to.be.above(0);
    await startWorker();
    // After an interrupted attempt, a message waits as long as after any other failure.
    await deliveries.passUntilEnded(400);
    await deliveries.untilStatus('delivered', MESSAGES);

    const received = deliveries.received();
    expect([...received.keys()]).to.have.members(ids);
    const messages = await deliveries.messages();
    for (const { message_id: id, tries } of messages) {
      const times = received.get(id)?.length ?? 0;
      expect(times, 'one more for each kill while the message was in flight').to.be.at.most(1 + (interruptions.get(id) ?? 0));
      expect(tries, 'attempts are counted before they are made').to.be.at.least(times);
    }
    const extra = deliveries.application.ledger.entries.length - MESSAGES;
    expect(extra, 'requests that repeat a message').to.be.at.most(KILLS * PARALLEL);
    if (process.env['SHOW_FIGURES']) console.log({ extra, kills: KILLS, interrupted: interruptions.size });
  });
});
