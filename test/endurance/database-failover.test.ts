import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { needPostgres15 } from '../support/postgres-15.ts';
import { isLong, size } from '../support/size.ts';
import { skipBecause } from '../support/skip.ts';
import { until } from '../support/until.ts';
import { Failover } from './load/failover.ts';
import { missingIn, refreshedSince, reportedCreations } from './load/ledgers.ts';

const SECONDS_BEFORE = size(2, 60);
const SECONDS_AFTER = size(2, 60);
/** How far an asynchronous standby is behind when the primary dies. */
const LAG_SECONDS = 3;
/** How long the address leads to the standby before it is promoted. */
const READ_ONLY_SECONDS = size(1, 5);
const REPORTED_MS = 60_000;
/** Longer than a refresh takes: one that began before the standby was behind may be stored later. */
const LONGEST_REFRESH_MS = 2_000;

const SYNCHRONOUS =
  'works within 30 s of the promotion and loses nothing that was acknowledged, where the standby is synchronous';
const ASYNCHRONOUS = 'loses only what was acknowledged while the standby was behind, where it is asynchronous';

describe('a fail-over of the database to a streaming standby', function () {
  this.timeout((SECONDS_BEFORE + SECONDS_AFTER) * 1_000 + size(120_000, 600_000));

  before(function () {
    needPostgres15(this);
  });

  it(SYNCHRONOUS, async () => {
    await using failover = await Failover.open({ isSynchronous: true });
    const { load, world } = failover;
    const worksAfterMs = await primaryDies(failover);
    await failover.allArrive();
    await until('creations are reported', () => missingIn(load.imported, reportedCreations(world)).length === 0, REPORTED_MS);
    const lost = await failover.losses();
    failover.report('synchronous standby', lost, worksAfterMs);
    expect(lost).to.deep.equal({ webhooks: [], connections: [], tokens: [] });
    expect(await failover.needReauth(), 'needs_reauth').to.deep.equal([]);
    failover.expectHonest();
  });

  it(ASYNCHRONOUS, async function () {
    if (!isLong) skipBecause(this, 'it counts what the database loses, not the service; TEST_SIZE=long runs it');
    await using failover = await Failover.open({ isSynchronous: false });
    const { load, pair, world } = failover;
    let behindFrom = 0;
    let refreshed: ReadonlySet<string> = new Set();
    const worksAfterMs = await primaryDies(failover, async () => {
      behindFrom = performance.now();
      const from = new Date(Date.now() - LONGEST_REFRESH_MS);
      await pair.holdReplication();
      await wait(LAG_SECONDS * 1_000);
      refreshed = refreshedSince(world, from);
    });
    const isSafe = ([, at]: readonly [unknown, number]) => at < behindFrom;
    await failover.allArrive(new Map([...load.acknowledged].filter(isSafe)));
    const lost = await failover.losses();
    failover.report(`asynchronous standby, ${LAG_SECONDS} s behind`, lost, worksAfterMs);
    const needReauth = await failover.needReauth();
    console.log(`  ${needReauth.length} connections need reauthorization`);
    const imported = new Map([...load.imported].filter(isSafe));
    expect(lost.connections.filter((id) => imported.has(id))).to.deep.equal([]);
    expect(missingIn(new Set([...lost.tokens, ...needReauth]), refreshed), 'tokens from before').to.deep.equal([]);
    const { webhooks, connections, tokens } = lost;
    expect(webhooks.length + connections.length + tokens.length, 'the standby was behind').to.be.greaterThan(0);
    failover.expectHonest({ mayNeedReauth: true });
  });
});

/**
 * Puts the load on, kills the primary, and promotes the standby a moment later.
 *
 * @param before runs before the kill
 * @returns the milliseconds from the promotion until the service works
 */
async function primaryDies(failover: Failover, before = async () => {}): Promise<number> {
  const { load, pair, relay } = failover;
  load.start();
  await wait(SECONDS_BEFORE * 1_000);
  await before();
  await pair.killPrimary();
  relay.leadTo(pair.standby);
  await wait(READ_ONLY_SECONDS * 1_000);
  await pair.promote();
  const worksAfterMs = await failover.worksAgain(performance.now());
  await wait(SECONDS_AFTER * 1_000);
  await load.stop();
  return worksAfterMs;
}
