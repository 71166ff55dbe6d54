import { expect } from 'chai';
import { findRunning } from '../../core/db/embedded-postgres/embedded-postgres.ts';
import { size } from '../support/size.ts';
import { until } from '../support/until.ts';
import { WebhookSender } from '../support/webhook-sender.ts';
import { WebhookWalk } from '../support/webhook-walk.ts';

const RESTARTS = size(2, 10);
const PER_SECOND = 50;
/** The number of webhooks that the service accepts between two restarts. */
const SERVED = 60;
/**
 * The promised ten seconds until the service is back, or five times as many in an everyday run, because other tests run beside
 * this one.
 */
const BACK_MS = size(50_000, 10_000);
const GIVE_UP_MS = 60_000;

const PROMISE = `DBF-02: loses nothing over ${RESTARTS} immediate shutdowns, answers 503 meanwhile, is back within 10 s`;

describe('a database that restarts among webhooks', () => {
  it(PROMISE, async function () {
    this.timeout(size(90_000, 300_000));
    await using walk = await WebhookWalk.open();
    const running = () => findRunning({ dataDir: walk.dataDir, explicitDataDir: true });
    const database = await running();
    const sender = new WebhookSender(walk.url, await walk.hook(database?.url ?? ''));
    const { pid } = walk.service;

    const count = (RESTARTS + 1) * SERVED;
    const sending = sender.send({ count, perSecond: PER_SECOND, giveUpAfterMs: GIVE_UP_MS });
    const pids = new Set<number>();
    for (let restart = 1; restart <= RESTARTS; restart += 1) {
      await until('some are taken', () => sender.accepted.size >= restart * (SERVED / 2), GIVE_UP_MS);
      const { pid: victim } = (await running()) ?? { pid: 0 };
      pids.add(victim);
      // SIGQUIT shuts the server down without notice to its clients; its next start recovers (Postgres documentation, "Shutting
      // Down the Server").
      process.kill(victim, 'SIGQUIT');
      const cutAt = performance.now();
      await until('another server is there', async () => ![victim, undefined].includes((await running())?.pid), BACK_MS);
      const lastBefore = performance.now();
      // The service may have accepted all webhooks before the test noticed that the server was back.
      const isTaken = () => sender.lastAcceptedAt > lastBefore || sender.accepted.size === count;
      await until('webhooks are taken again', isTaken, BACK_MS);
      expect(performance.now() - cutAt, 'milliseconds until the service is back').to.be.below(BACK_MS);
    }
    await sending;
    expect(pids.size, 'servers that were shut down').to.equal(RESTARTS);
    expect([200, 503]).to.include.members([...sender.statuses.keys()]);
    expect(sender.accepted.size).to.equal(count);
    await until('all are received', () => walk.received().size === count, 90_000);
    expect([...walk.received()].filter(([, ids]) => ids.size > 1)).to.deep.equal([]);
    expect(walk.service.pid).to.equal(pid);
    expect((await fetch(`${walk.url}/ready`)).status).to.equal(200);
  });
});
