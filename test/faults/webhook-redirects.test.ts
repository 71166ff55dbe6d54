import { expect } from 'chai';
import { Deliveries } from '../support/deliveries.ts';
import { startFakeApplication } from '../support/fake-application.ts';
import { use } from '../support/use.ts';

const STATUSES = [301, 302, 303, 307, 308];

describe('an application that redirects', function () {
  const deliveries = use(this, () => Deliveries.open());
  const elsewhere = use(this, startFakeApplication);

  before(() => deliveries.deliver());

  const places: Readonly<Record<string, () => string>> = {
    'a public address': () => 'https://example.com/hook',
    'a private address': () => 'http://169.254.169.254/latest/meta-data',
    'another port that may be called': () => `${elsewhere.url}/hook`,
    itself: () => `${deliveries.application.url}/again`,
    'a path of itself': () => '/again',
  };

  for (const [what, location] of Object.entries(places)) {
    it(`WHO-02: is not followed to ${what}; the attempt counts as failed`, async () => {
      const { application } = deliveries;
      for (const status of STATUSES) {
        const received = application.ledger.entries.length;
        application.next('webhook', { response: { status, headers: { location: location() } } });
        const [id] = await deliveries.send();
        await deliveries.quiet();
        expect(application.ledger.entries.slice(received).map(({ target }) => target)).to.deep.equal(['/']);
        const [message] = await deliveries.db('webhook_messages').where({ message_id: id });
        expect(message).to.include({ status: 'pending', tries: 1 });
        await deliveries.db('webhook_messages').delete();
        await deliveries.db('webhook_targets').update({ failures: 0, open_until: null });
      }
      expect(elsewhere.ledger.entries).to.deep.equal([]);
    });
  }
});
