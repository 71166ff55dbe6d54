import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { needPostgres15 } from '../support/postgres-15.ts';
import { size } from '../support/size.ts';
import { until } from '../support/until.ts';
import { Failover } from './load/failover.ts';

const SECONDS_BEFORE = size(2, 30);
/** The listener looks every ten seconds whether its server still writes. */
const HEARS_WITHIN_MS = 30_000;

describe('a primary that has become read-only, and still answers', function () {
  this.timeout(SECONDS_BEFORE * 1_000 + 120_000);

  before(function () {
    needPostgres15(this);
  });

  it('is left for the new one by every connection, also by the one that listens for notices', async () => {
    await using failover = await Failover.open({ isSynchronous: false });
    const { load, pair, relay, db } = failover;
    load.start();
    await wait(SECONDS_BEFORE * 1_000);
    await pair.makePrimaryReadOnly();
    await pair.promote();
    // New connections lead to the new primary; those to the old one stay open.
    relay.leadTo(pair.standby);
    const worksAfterMs = await failover.worksAgain(performance.now());
    const isHeard = () => db('instances').whereRaw('server_start = pg_postmaster_start_time()').first('id');
    await until('the service hears the new primary', async () => (await isHeard()) !== undefined, HEARS_WITHIN_MS);
    await load.stop();
    await failover.allArrive();
    const lost = await failover.losses();
    failover.report('read-only primary', lost, worksAfterMs);
    expect(lost).to.deep.equal({ webhooks: [], connections: [], tokens: [] });
    expect(await failover.needReauth(), 'needs_reauth').to.deep.equal([]);
    failover.expectHonest();
  });
});
