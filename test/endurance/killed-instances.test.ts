import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { quantile } from '../../bench/quantile.ts';
import { sweep } from '../support/canaries.ts';
import { needPgbouncer } from '../support/pgbouncer.ts';
import { needPostgres15 } from '../support/postgres-15.ts';
import { isLong, size } from '../support/size.ts';
import { skipBecause } from '../support/skip.ts';
import { until } from '../support/until.ts';
import { describeCalls } from './load/call.ts';
import { forwarded, missingIn, refreshCalls, refreshedTwice, reportedCreations } from './load/ledgers.ts';
import { Storm } from './load/storm.ts';

const SECONDS = size(8, 600);
const KILL_EVERY_SECONDS = size(2, 60);
const CONNECTIONS = size(60, 600);
/** In a short run one instance is killed, and one restarted. */
const KILLS = size(1, Number.POSITIVE_INFINITY);
const PLAIN_SECONDS = 130;
/** Longer than the claim of a killed process on a webhook lasts, and its lease on a refresh behind a pooler. */
const SETTLED_MS = size(60_000, 240_000);

describe('three instances behind HAProxy and PgBouncer, of which some are killed', function () {
  this.timeout(SECONDS * 1_000 + size(120_000, 900_000));

  before(function () {
    needPostgres15(this);
    needPgbouncer(this);
    if (spawnSync('haproxy', ['-v']).error) skipBecause(this, 'haproxy is not installed');
  });

  it('fails only calls in flight on a killed process, repeats only their refreshes, and loses no webhook', async () => {
    await using storm = await Storm.open({ connections: CONNECTIONS, isPlain: false });
    const { world, load, fleet } = storm;
    await blow(storm, SECONDS);
    try {
      await until('all webhooks arrive', () => missingIn(load.acknowledged, forwarded(world)).length === 0, SETTLED_MS);
      await until('creations are reported', () => missingIn(load.imported, reportedCreations(world)).length === 0, SETTLED_MS);
      if (isLong) await allLeasesEnd(storm);
    } finally {
      console.log(`deploy/haproxy.cfg: ${await figures(storm)}`);
    }
    expect(describeCalls(storm.unexplained()), 'failed calls that were not in flight on a killed process').to.deep.equal([]);
    expect(missingIn(refreshedTwice(world), storm.leftBehind), 'refresh tokens that were sent twice').to.deep.equal([]);
    expect(missingIn(new Set(await storm.needReauth()), storm.leftBehind), 'needs_reauth').to.deep.equal([]);
    expect(storm.kills.length, 'kills').to.be.at.least(size(1, 9));
    expect(refreshCalls(world), 'refreshes').to.be.greaterThan(SECONDS / 2);
    expect(load.acknowledged.size, 'webhooks').to.be.greaterThan(SECONDS);
    expect(sweep({ output: fleet.output })).to.deep.equal([]);
  });

  it('reports what HAProxy’s plain defaults would do', async function () {
    if (!isLong) skipBecause(this, 'it only reports figures; TEST_SIZE=long runs it');
    await using storm = await Storm.open({ connections: CONNECTIONS, isPlain: true });
    await blow(storm, PLAIN_SECONDS);
    console.log(`HAProxy’s plain defaults: ${await figures(storm)}`);
    for (const line of describeCalls(storm.unexplained())) console.log(`  ${line}`);
    expect(storm.kills.length).to.be.at.least(1);
  });
});

/** Puts the load on, kills an instance at intervals and restarts all, one after the other, in the middle. */
async function blow(storm: Storm, seconds: number): Promise<void> {
  const { fleet, load } = storm;
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > seconds * 1_000;
  const restartAt = startedAt + (seconds * 1_000) / 2;
  let isRestarted = false;
  load.start();
  for (let next = 1; !isOver(); next += 1) {
    await wait(
      Math.max(0, Math.min(startedAt + next * KILL_EVERY_SECONDS * 1_000, startedAt + seconds * 1_000) - performance.now()),
    );
    if (isOver()) break;
    if (storm.kills.length < KILLS) await storm.kill(next % fleet.size);
    if (isRestarted || performance.now() < restartAt) continue;
    isRestarted = true;
    for (let index = 0; index < size(1, fleet.size); index += 1) expect(await fleet.restart(index), 'exit code').to.equal(0);
  }
  expect(isRestarted, 'the instances were restarted').to.equal(true);
  await load.stop();
}

async function allLeasesEnd({ db }: Storm): Promise<void> {
  const left = () => db('refreshes').whereNotNull('owner').count({ count: '*' }).first();
  await until('no lease is left behind', async () => Number((await left())?.count) === 0, SETTLED_MS);
}

async function figures(storm: Storm): Promise<string> {
  const { load, kills, world, leftBehind } = storm;
  const unexplained = storm.unexplained().length;
  const [middle, most, all] = [0.5, 0.99, 1].map((share) => Math.round(quantile(load.durationsMs, share)));
  return [
    `${load.sent} calls, ${kills.length} kills`,
    `${load.failed.length} calls failed, ${load.failed.length - unexplained} of them in flight on a killed process`,
    `median ${middle} ms, 99 % within ${most} ms, the longest ${all} ms`,
    `${refreshCalls(world)} refreshes, ${leftBehind.size} in flight on a killed process, ${refreshedTwice(world).size} of them repeated`,
    `${(await storm.needReauth()).length} connections need reauthorization`,
    `${load.acknowledged.size} webhooks acknowledged, ${missingIn(load.acknowledged, forwarded(world)).length} not delivered yet`,
  ].join('; ');
}
