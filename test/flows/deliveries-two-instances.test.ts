import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { CountingApplication } from '../support/counting-application.ts';
import { Deliveries } from '../support/deliveries.ts';
import { Installation } from '../support/installation.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';

const MESSAGES = size(200, 5_000);

describe('deliveries of two instances on one database', function () {
  this.timeout(size(30_000, 240_000));
  const installation = use(this, () => Installation.open());
  const application = use(this, () => CountingApplication.start());
  const other = use(this, () => startApp(installation));
  const deliveries = use(this, () => Deliveries.open(installation));

  before(async () => {
    await deliveries.deliver();
    await deliveries.deliver(other.services);
    await deliveries.setUrl(application.url);
  });

  it('never have more than five at once at a target, and send nothing twice', async () => {
    application.always('webhook', { delayMs: 20 });
    const ids: string[] = [];
    for (let left = MESSAGES; left > 0; left -= 10) ids.push(...(await deliveries.sendTogether(10)));
    await deliveries.untilStatus('delivered', MESSAGES, size(20_000, 200_000));
    const received = application.ledger.entries.map(({ headers }) => headers['webhook-id']);
    expect(received).to.have.members(ids);
    expect(application.most).to.equal(5);
    expect(new Set((await deliveries.messages()).map(({ tries }) => tries))).to.deep.equal(new Set([1]));
  });
});
