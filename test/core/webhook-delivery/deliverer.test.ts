import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { resumeTargets } from '../../../core/webhook-delivery/target-store.ts';
import { CountingApplication } from '../../support/counting-application.ts';
import { Deliveries } from '../../support/deliveries.ts';
import { until } from '../../support/until.ts';
import { useEach } from '../../support/use.ts';

const PARALLEL = 5;
const STOP_MS = 15_000;

describe('the deliverer', function () {
  this.timeout(90_000);
  const deliveries = useEach(this, () => Deliveries.open());

  it('sends each message once, signed, and records the attempt', async () => {
    await deliveries.deliver();
    const ids = await deliveries.send(20, {
      headers: { 'x-further': 'yes', 'Webhook-Id': 'forged', 'X-Svc-Hmac-Sha256': 'forged' },
    });
    await deliveries.untilStatus('delivered', 20);
    expect([...deliveries.received().keys()]).to.have.members(ids);
    const verifier = new Webhook(await deliveries.secret());
    for (const { headers, body, method } of deliveries.application.ledger.entries) {
      expect(method).to.equal('POST');
      expect(headers).to.include({ 'content-type': 'application/json', 'x-further': 'yes' });
      expect(headers['x-svc-hmac-sha256']).to.match(/^[0-9a-f]{64}$/);
      expect(() =>
        verifier.verify(body.toString(), Object.fromEntries(Object.entries(headers).map(([n, v]) => [n, String(v)]))),
      ).not.to.throw();
    }
    expect((await deliveries.attempts()).map(({ status }) => status)).to.deep.equal(Array(20).fill(200));
  });

  it('sends to both URLs of the environment, or to the override alone', async () => {
    const { application } = deliveries;
    await deliveries.setUrl(`${application.url}/first`);
    await deliveries.setUrl(`${application.url}/second`, 'webhook_url_secondary');
    await deliveries.deliver();
    await deliveries.send();
    await deliveries.send(1, { webhookUrlOverride: `${application.url}/third` });
    await deliveries.untilStatus('delivered', 3);
    expect(application.ledger.entries.map(({ target }) => target)).to.have.members(['/first', '/second', '/third']);
    expect(deliveries.received().size, 'a message ID for each URL').to.equal(3);
  });

  it('stores no message where there is no URL', async () => {
    await deliveries.setUrl(null);
    expect(await deliveries.send()).to.deep.equal([]);
    expect(await deliveries.messages()).to.deep.equal([]);
  });

  it('holds messages whose URL was removed until it is set again', async () => {
    const { application } = deliveries;
    await deliveries.send(3);
    await deliveries.setUrl(null);
    await deliveries.deliver();
    await deliveries.untilStatus('paused', 3);
    await deliveries.setUrl(application.url);
    await resumeTargets(deliveries.db, 1, 'primary');
    await deliveries.advance(0);
    await deliveries.untilStatus('delivered', 3);
  });

  it('stops calling a target for a minute after ten failures in a row, then tries once', async () => {
    const { application } = deliveries;
    application.always('webhook', { response: { status: 503 } });
    await deliveries.sendTogether(40);
    await deliveries.deliver();
    await deliveries.quiet();
    const asked = application.ledger.entries.length;
    expect(asked).to.be.within(10, 10 + PARALLEL - 1);
    await deliveries.advance(50);
    await deliveries.quiet();
    expect(application.ledger.entries).to.have.lengthOf(asked);
    await deliveries.advance(11);
    await application.ledger.arrived('webhook', asked + 1);
    await deliveries.quiet();
    expect(application.ledger.entries).to.have.lengthOf(asked + 1);
    const tries = (await deliveries.messages()).map((message) => message.tries);
    expect(
      tries.filter((made) => made === 0),
      'messages without an attempt',
    ).to.have.lengthOf.at.least(40 - asked - 1);
    application.always('webhook', {});
    await deliveries.advance(61);
    await deliveries.passUntilEnded(61);
    expect((await deliveries.target()).failures).to.equal(0);
  });

  it('finishes the running attempts when it stops, and leaves the other messages to the next deliverer at once', async () => {
    const { application } = deliveries;
    const barrier = application.barrier('webhook');
    const ids = await deliveries.sendTogether(20);
    const deliverer = await deliveries.deliver();
    await barrier.arrived(PARALLEL);
    const start = performance.now();
    const stopped = deliverer.stop();
    barrier.open();
    await stopped;
    expect(performance.now() - start).to.be.below(STOP_MS);
    const left = await deliveries.messages();
    expect(left.filter(({ status }) => status === 'delivered')).to.have.lengthOf(PARALLEL);
    expect(left.filter(({ attempt_until: until }) => until !== null)).to.deep.equal([]);
    await deliveries.deliver();
    await deliveries.untilStatus('delivered', 20);
    expect(application.ledger.entries.map(({ headers }) => headers['webhook-id'])).to.have.members(ids);
  });

  it('serves every target although more attempts hang than it can make at once', async () => {
    await using hanging = await CountingApplication.start();
    hanging.always('webhook', { delivery: 'hang' });
    await deliveries.deliver({ attemptTimeoutMs: 8_000 });
    for (let target = 0; target < 60; target += 1)
      await deliveries.sendTogether(PARALLEL, { webhookUrlOverride: `${hanging.url}/${target}` });
    await until('it has no place left', () => hanging.most >= 250, 60_000);
    await deliveries.send(3);
    await deliveries.application.ledger.arrived('webhook', 3);
    expect(hanging.most).to.be.at.most(256);
  });
});
