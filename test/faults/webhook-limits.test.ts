import { expect } from 'chai';
import { applyRetention } from '../../core/operate/retention.ts';
import { keepWithinLimits } from '../../core/webhook-delivery/backlog.ts';
import { trimEnded } from '../../core/webhook-delivery/backlog-store.ts';
import { CountingApplication } from '../support/counting-application.ts';
import { Deliveries } from '../support/deliveries.ts';
import { size } from '../support/size.ts';
import { until } from '../support/until.ts';
import { useEach } from '../support/use.ts';

const DAY = 86_400;
const RETENTION_DAYS = 15;
const KEPT = size(300, 100_000);
const FLOOD = size(1_500, 1_000_000);
const LARGE_BYTES = 2_000_000;

describe('the queue of one target', function () {
  this.timeout(size(60_000, 1_800_000));
  const deliveries = useEach(this, () => Deliveries.open());

  it(`WHO-07: keeps the newest of ${FLOOD} messages for a target that hangs, and reports why others are given up`, async () => {
    await using hanging = await CountingApplication.start();
    hanging.always('webhook', { delivery: 'hang' });
    await deliveries.deliver({ waitingBounds: { messages: KEPT, bytes: 1e12 } });
    const ids: string[] = [];
    for (let left = FLOOD; left > 0; left -= 100)
      ids.push(...(await deliveries.sendTogether(100, { webhookUrlOverride: hanging.url })));
    const [other] = await deliveries.send();
    await deliveries.untilStatus('delivered', 1);
    expect([...deliveries.received().keys()]).to.deep.equal([other]);

    const slack = 256 + 100 + 5;
    const waiting = () => deliveries.db('webhook_messages').where({ status: 'pending' }).orderBy('id').pluck('message_id');
    await until('no more than allowed wait', async () => (await waiting()).length <= KEPT + slack, size(10_000, 600_000));
    expect((await waiting()).slice(-KEPT), 'the newest are kept').to.deep.equal(ids.slice(-KEPT));
    const failed = await deliveries.db('webhook_messages').where({ status: 'failed' }).count().first();
    const reported = await deliveries.db('webhook_attempts').where({ error: 'queue_full' }).count().first();
    expect(reported).to.deep.equal(failed);
    await deliveries.app.services.activity.flush();
    const notices = await deliveries.db('operation_log').where({ type: 'webhook' }).pluck('messages');
    expect(JSON.stringify(notices)).to.contain('too many waiting webhooks');
  });

  it('WHO-07: also bounds the bytes of the messages that wait and of those that have ended', async () => {
    const large = { body: { text: 'x'.repeat(LARGE_BYTES) } };
    await deliveries.send(10, large);
    const { id } = await deliveries.target();
    const bounds = { messages: 1_000, bytes: 4.5 * LARGE_BYTES };
    await keepWithinLimits({ ...deliveries.app.services, waitingBounds: bounds }, id);
    const statuses = (await deliveries.messages()).map(({ status }) => status);
    expect(statuses).to.deep.equal([...Array(6).fill('failed'), ...Array(4).fill('pending')]);
    await keepWithinLimits({ ...deliveries.app.services, waitingBounds: bounds }, id);
    expect(
      (await deliveries.attempts()).map(({ error }) => error),
      'once for each',
    ).to.deep.equal(Array(6).fill('queue_full'));

    await trimEnded(deliveries.db, id, 2.5 * LARGE_BYTES);
    expect((await deliveries.messages()).map(({ status }) => status)).to.deep.equal([
      ...Array(2).fill('failed'),
      ...Array(4).fill('pending'),
    ]);
  });

  it('WHO-07: counts a payload that several messages share for each of them', async () => {
    const payload = { environmentId: 1, text: JSON.stringify('x'.repeat(LARGE_BYTES)) };
    await deliveries.sendTogether(10, { payload });
    expect(await deliveries.db('webhook_payloads')).to.have.length(1);
    const { id } = await deliveries.target();
    const bounds = { messages: 1_000, bytes: 4.5 * LARGE_BYTES };
    await keepWithinLimits({ ...deliveries.app.services, waitingBounds: bounds }, id);
    const statuses = async () => (await deliveries.messages()).map(({ status }) => status);
    expect(await statuses()).to.deep.equal([...Array(6).fill('failed'), ...Array(4).fill('pending')]);
    await trimEnded(deliveries.db, id, 2.5 * LARGE_BYTES);
    expect(await statuses()).to.deep.equal([...Array(2).fill('failed'), ...Array(4).fill('pending')]);
  });

  it('WHO-07: checks the bounds more often for large messages', async () => {
    await deliveries.deliver({ waitingBounds: { messages: 1_000, bytes: 5 * LARGE_BYTES } });
    deliveries.application.always('webhook', { response: { status: 500 } });
    await deliveries.send(20, { body: { text: 'x'.repeat(LARGE_BYTES) } });
    await deliveries.untilStatus('failed', 1);
    const pending = await deliveries.db('webhook_messages').where({ status: 'pending' }).pluck('id');
    expect(pending.length).to.be.at.most(5 + 8 + 5);
  });

  it('WHO-07: removes ended messages after their retention, and gives up what still waits then', async () => {
    await deliveries.deliver();
    await deliveries.send(3);
    await deliveries.untilStatus('delivered', 3);
    deliveries.application.always('webhook', { response: { status: 410 } });
    await deliveries.send();
    await deliveries.untilStatus('paused', 1);

    await applyRetention(deliveries.app.services);
    expect(await deliveries.messages()).to.have.lengthOf(4);
    await deliveries.db('webhook_messages').update({ created_at: deliveries.db.raw(`created_at - interval '16 days'`) });
    await applyRetention(deliveries.app.services);
    expect((await deliveries.messages()).map(({ status }) => status)).to.deep.equal([...Array(3).fill('delivered'), 'failed']);
    expect((await deliveries.attempts()).at(-1)?.error).to.equal('expired');
    await applyRetention(deliveries.app.services);
    expect(await deliveries.messages(), 'the messages ended today').to.have.lengthOf(4);

    await deliveries.advance((RETENTION_DAYS + 1) * DAY);
    await applyRetention(deliveries.app.services);
    expect(await deliveries.messages()).to.deep.equal([]);
    expect(await deliveries.attempts()).to.deep.equal([]);
  });
});
