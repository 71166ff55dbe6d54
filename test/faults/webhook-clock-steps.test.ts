import { expect } from 'chai';
import { applyRetention } from '../../core/operate/retention.ts';
import { CountingApplication } from '../support/counting-application.ts';
import { Deliveries } from '../support/deliveries.ts';
import { use } from '../support/use.ts';

const HOUR = 3_600;
const MESSAGES = 60;

describe('the clock and the database set back', function () {
  const deliveries = use(this, () => Deliveries.open());
  const application = use(this, () => CountingApplication.start());

  before(() => deliveries.setUrl(application.url));

  const idsOf = () => application.ledger.entries.map(({ headers }) => headers['webhook-id']);

  it('JOB-02: a restored backup of yesterday is delivered without a storm, under the same IDs', async () => {
    application.always('webhook', { delayMs: 20 });
    const ids = await deliveries.sendTogether(MESSAGES);
    const tables = ['webhook_targets', 'webhook_messages'] as const;
    const backup = await Promise.all(tables.map((table) => deliveries.db(table).select()));
    await using first = await deliveries.deliver();
    await deliveries.untilStatus('delivered', MESSAGES);
    await first.stop();

    for (const table of tables.toReversed()) await deliveries.db(table).delete();
    for (const [index, table] of tables.entries()) await deliveries.db(table).insert(backup[index]);
    await deliveries.db('webhook_messages').where({ message_id: ids[0] }).update({ attempt_until: new Date(), tries: 1 });
    await deliveries.advance(24 * HOUR);
    await deliveries.deliver();
    await deliveries.passUntilEnded(10);
    expect((await deliveries.messages()).map(({ status }) => status)).to.deep.equal(Array(MESSAGES).fill('delivered'));
    expect(idsOf().slice(MESSAGES)).to.have.members(ids);
    expect(application.most, 'requests at once').to.equal(5);
  });

  it('JOB-02: a message that is too old after a restore is not sent', async () => {
    const received = application.ledger.entries.length;
    await deliveries.db('webhook_targets').update({ paused_at: new Date() });
    await deliveries.send(3);
    await deliveries.untilStatus('paused', 3);
    await deliveries
      .db('webhook_messages')
      .where({ status: 'paused' })
      .update({ status: 'pending', created_at: deliveries.db.raw(`now() - interval '20 days'`) });
    await deliveries.db('webhook_targets').update({ paused_at: null });
    const [fresh] = await deliveries.send();
    await deliveries.untilStatus('delivered', MESSAGES + 1);
    await applyRetention(deliveries.app.services);
    await deliveries.quiet();
    expect(idsOf().slice(received)).to.deep.equal([fresh]);
    expect((await deliveries.messages()).filter(({ status }) => status === 'failed')).to.have.lengthOf(3);
  });

  it('JOB-02: a clock stepped back two hours stops nothing for longer than that, and sends nothing twice', async () => {
    application.always('webhook', { response: { status: 500 } });
    const received = application.ledger.entries.length;
    const [waits] = await deliveries.send();
    await deliveries.quiet();
    // The database's clock is set back, so the times of everything written so far are two hours in the future.
    await deliveries.advance(-2 * HOUR);
    await deliveries.db('webhook_targets').update({ open_until: deliveries.db.raw(`now() + interval '2 hours'`) });
    application.always('webhook', {});
    const [fresh] = await deliveries.send();
    await deliveries.advance(0);
    await deliveries.untilStatus('delivered', MESSAGES + 3);
    expect(idsOf().slice(received), 'the new message, then the waiting one').to.deep.equal([waits, fresh, waits]);
    await deliveries.pass(2 * HOUR + 60);
    expect(idsOf().slice(received)).to.deep.equal([waits, fresh, waits]);
  });

  it('JOB-02: an attempt that seems to last for hours is treated as one whose process died', async () => {
    const [id] = await deliveries.send();
    await deliveries.untilStatus('delivered', MESSAGES + 4);
    await deliveries
      .db('webhook_messages')
      .where({ message_id: id })
      .update({ status: 'pending', next_attempt_at: new Date(), attempt_until: deliveries.db.raw(`now() + interval '2 hours'`) });
    await deliveries.advance(0);
    await deliveries.passUntilEnded(10);
    expect((await deliveries.attempts()).map(({ error }) => error)).to.include('interrupted');
    expect((await deliveries.messages()).at(-1)?.status).to.equal('delivered');
  });
});
