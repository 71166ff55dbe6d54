import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { Deliveries } from '../support/deliveries.ts';
import { FakeApplication, startFakeApplication } from '../support/fake-application.ts';
import { freePort } from '../support/free-port.ts';
import type { LedgerEntry } from '../support/scripted-server/ledger.ts';
import { size } from '../support/size.ts';
import { useEach } from '../support/use.ts';

const HOUR = 3_600;
const TOLERANCE_SECONDS = 5;
const WAITS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400];
const MESSAGES = size(30, 1_000);

const timestampOf = ({ headers }: LedgerEntry) => Number(headers['webhook-timestamp']);

describe('an application that is down', function () {
  this.timeout(size(30_000, 300_000));
  const deliveries = useEach(this, () => Deliveries.open());

  it('WHO-01: for 1, 8 or 24 hours gets its message on schedule, under one ID, signed anew each time', async () => {
    const { application: slow } = deliveries;
    await using resetting = await startFakeApplication();
    await using closed = new FakeApplication();
    const port = await freePort();
    slow.always('webhook', { response: { status: 503 } });
    resetting.always('webhook', { delivery: 'reset' });
    await deliveries.setUrl(resetting.url, 'webhook_url_secondary');
    const [id] = await deliveries.send();
    await deliveries.send(1, { webhookUrlOverride: `http://127.0.0.1:${port}/hook` });
    await deliveries.deliver();
    await deliveries.quiet();
    const refused = (await deliveries.attempts()).filter(({ error }) => error === 'unreachable');
    expect(refused, 'one attempt was reset, and one found nothing that listens').to.have.lengthOf(2);

    await deliveries.pass(HOUR);
    await closed.listen(port);
    await deliveries.pass(7 * HOUR);
    resetting.always('webhook', {});
    await deliveries.pass(16 * HOUR);
    expect((await deliveries.messages()).map(({ status }) => status)).to.deep.equal(['pending', 'delivered', 'delivered']);
    slow.always('webhook', {});
    await deliveries.pass(24 * HOUR);
    expect((await deliveries.messages()).map(({ status }) => status)).to.deep.equal(Array(3).fill('delivered'));

    const tries = slow.ledger.entries;
    expect(tries, '7 while it was down, and the one that got through').to.have.lengthOf(8);
    expect(timestampOf(tries[7] ?? expect.fail()) - timestampOf(tries[0] ?? expect.fail())).to.be.above(24 * HOUR);
    expect(new Set(tries.map(({ headers }) => headers['webhook-id']))).to.deep.equal(new Set([id]));
    expect(new Set(tries.map(({ headers }) => headers['webhook-signature']))).to.have.property('size', 8);
    const verifier = new Webhook(await deliveries.secret());
    for (const entry of tries) {
      const signature = verifier.sign(id ?? '', new Date(timestampOf(entry) * 1_000), entry.body.toString());
      expect(entry.headers['webhook-signature']).to.equal(signature);
    }
    for (const [index, wait] of WAITS.entries()) {
      const waited = timestampOf(tries[index + 1] ?? expect.fail()) - timestampOf(tries[index] ?? expect.fail());
      expect(waited, `before attempt ${index + 2}`).to.be.within(wait - 1, wait * 1.2 + TOLERANCE_SECONDS);
    }
  });

  it('for six hours misses no message of that time, and gets none twice', async () => {
    const { application } = deliveries;
    application.always('webhook', { response: { status: 502 } });
    await deliveries.deliver();
    const ids: string[] = [];
    for (let hour = 0; hour < 6; hour += 1) {
      ids.push(...(await deliveries.send(MESSAGES / 6)));
      await deliveries.advance(HOUR);
      await deliveries.quiet();
    }
    const failed = new Set(application.ledger.entries);
    expect(failed.size, 'attempts while the application was down').to.be.within(10, 40);
    application.always('webhook', {});
    await deliveries.pass(24 * HOUR);
    expect((await deliveries.messages()).filter(({ status }) => status !== 'delivered')).to.deep.equal([]);
    const delivered = application.ledger.entries
      .filter((entry) => !failed.has(entry))
      .map(({ headers }) => headers['webhook-id']);
    expect(delivered).to.have.members(ids);
  });

  it('gets all waiting messages once it accepts a message again', async () => {
    const { application } = deliveries;
    application.always('webhook', { response: { status: 502 } });
    await deliveries.deliver();
    await deliveries.send(7);
    await deliveries.pass(26 * HOUR);
    application.always('webhook', {});
    const before = application.ledger.entries.length;
    await deliveries.send();
    await deliveries.quiet();
    expect((await deliveries.messages()).map(({ status }) => status)).to.deep.equal(Array(8).fill('delivered'));
    expect(application.ledger.entries).to.have.lengthOf(before + 8);
  });

  it('gets a message that it refuses ahead of schedule once a day while it accepts others', async () => {
    const { application, db } = deliveries;
    const refusal = { response: { status: 500 } };
    await deliveries.deliver();
    const send = async () => {
      const [id] = await deliveries.send();
      await deliveries.quiet();
      return id;
    };
    application.next('webhook', refusal);
    const id = await send();
    const tries = async () => (await db('webhook_messages').where({ message_id: id }).first('tries')).tries;
    application.next('webhook', {}, refusal);
    await send();
    expect(await tries()).to.equal(2);

    application.next('webhook', refusal);
    await send();
    await send();
    expect(await tries(), 'on the same day').to.equal(2);

    await db('webhook_messages').update({ early_at: db.raw(`early_at - interval '1 day'`) });
    application.next('webhook', refusal);
    await send();
    await send();
    expect(await tries(), 'a day later').to.equal(3);
  });

  it('has a message given up after ten attempts, reported in the operation log, and kept for a replay', async () => {
    deliveries.application.always('webhook', { response: { status: 500 } });
    await deliveries.deliver();
    const [id] = await deliveries.send(1, { providerConfigKey: 'calendar', connectionId: 'c-1' });
    await deliveries.quiet();
    await deliveries.pass(100 * HOUR);
    const [message] = await deliveries.messages();
    expect(message).to.include({ status: 'failed', tries: 10, next_attempt_at: null });
    expect(await deliveries.attempts()).to.have.lengthOf(10);
    await deliveries.app.services.activity.flush();
    const operations = await deliveries.db('operation_log').where({ type: 'webhook' }).orderBy(['created_at', 'id']);
    expect(operations.map(({ status }) => status)).to.have.members([...Array(9).fill('retrying'), 'failure']);
    for (const operation of operations) {
      expect(operation).to.include({ connection_id: 'c-1', provider_config_key: 'calendar', http_status: 500 });
      expect(JSON.stringify(operation.messages)).to.contain(id);
    }
    expect(operations[0]).to.include({ operation: 'forwarded', http_status: 500 });
    expect(operations[0].summary).to.match(/^forward webhook → 500, next attempt in \d s$/);
  });
});
