import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { presentedOnce } from '../support/checker.ts';
import { TestClock } from '../support/clock.ts';
import { type Connected, connect, readConnection } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { relayTo } from '../support/database-relay.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { size } from '../support/size.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';

const CUTS = size(3, 100);
const EXPIRED_MS = 3_601_000;
/**
 * The statement that claims a refresh, sent with bindings, so that its message begins with `P` (Postgres documentation, "Message
 * Formats").
 */
const CLAIM = /^P.{4}[^\0]*\0with locked as .* update refreshes set owner = /s;
/** Less than the half minute for which the lease would block another claim. */
const SOON_MS = 10_000;

describe('a refresh whose claim loses the answer of the database (DUR-04)', function () {
  const database = use(this, cloneDatabase);
  const relay = use(this, () => relayTo(database));
  const provider = use(this, () => startFakeProvider({ rotation: 'strict' }));
  const app = use(this, () => startApp({ database: relay.database }));
  this.timeout(30_000 + 5_000 * CUTS);
  let connected: Connected;

  before(async () => {
    connected = await connect(app, provider);
  });

  it(`does not keep the connection out of use, ${CUTS} times of ${CUTS}`, async () => {
    for (let cut = 1; cut <= CUTS; cut += 1) {
      await new TestClock().advance(EXPIRED_MS, database.db);
      const hasCut = relay.cutAt({ statement: CLAIM, moment: 'after' });
      const begun = performance.now();
      const first = await readConnection(app, connected);
      await hasCut;
      expect(first.status).to.be.oneOf([200, 503]);
      const { status, body } = await readConnection(app, connected);
      expect(status).to.equal(200);
      expect(performance.now() - begun, 'milliseconds').to.be.below(SOON_MS);
      expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
      expect(await storedConnection(database.db, connected)).to.include({ state: 'healthy', refresh_owner: null });
    }
    expect(provider.ledger.of('token')).to.have.lengthOf(CUTS + 1);
    expect(presentedOnce(provider.ledger.of('token'))).to.deep.equal([]);
  });
});
