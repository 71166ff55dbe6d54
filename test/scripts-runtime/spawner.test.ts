import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { handlesOf, parentOf, sessionOf } from '../support/process-facts.ts';
import { isWhole, openScripts, type Scripts, until } from '../support/script-host.ts';
import { skipBecause } from '../support/skip.ts';

const START_MS = 10_000;
const LONG = { timeoutMs: 15_000 };
const ONE = 'export default () => 1;';

describe('SBX-01: a runner that takes the place of others', () => {
  let scripts: Scripts;
  before(function () {
    if (!existsSync('/proc/self/stat')) skipBecause(this, 'only Linux tells whose child a process is');
    scripts = openScripts({ workers: 1 });
  });
  after(() => scripts?.[Symbol.asyncDispose]());

  /** Until every runner was started by another process. @returns its ID */
  async function spawner({ host }: Scripts = scripts): Promise<number> {
    host.start();
    for (;;) {
      await until(() => isWhole(host, 1), START_MS);
      const [parent = process.pid, ...others] = new Set(host.pids().map(parentOf));
      if (parent !== process.pid && others.length === 0) return parent;
      for (const pid of host.pids()) if (parentOf(pid) === process.pid) process.kill(pid, 'SIGKILL');
      await until(() => host.status().ready < 2, START_MS);
    }
  }

  it('is started by a small process, so that the service does not stand still', async () => {
    expect(parentOf(await spawner())).to.equal(process.pid);
    expect((await scripts.run(ONE, { limits: LONG })).result).to.equal(1);
  });

  it("shares one session with the others, which is not the service's", async () => {
    const parent = await spawner();
    expect(parent).to.not.equal(sessionOf(process.pid));
    expect(new Set(scripts.host.pids().map(sessionOf))).to.deep.equal(new Set([parent]));
  });

  it('has the same walls', async () => {
    const pids = [await spawner(), ...scripts.host.pids()];
    for (const pid of pids) {
      // The small process is told where its channel is.
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8').replace(/NODE_CHANNEL_\w+=\w+\0/g, '')).to.equal('');
      const ours = handlesOf(process.pid);
      const shared = handlesOf(pid).filter((target) => ours.includes(target) && !/^anon_inode:|^\/dev\/null$/.test(target));
      expect(shared).to.deep.equal([]);
    }
  });

  it('is killed by the clock, and for its memory', async () => {
    await spawner();
    const endless = await scripts.run('for (;;);');
    expect(endless).to.deep.include({ status: 'killed', cause: 'timeout' });
    const greedy = await scripts.run('export default () => Array(1e9).fill(0).length;', { limits: LONG });
    expect(greedy).to.deep.include({ status: 'killed', cause: 'memory' });
  });

  it('ends when that process does, and the pool is whole again', async () => {
    const parent = await spawner();
    const lost = scripts.host.pids();
    const running = scripts.run('for (;;);', { limits: LONG });
    await until(() => scripts.host.status().running === 1, START_MS);
    process.kill(parent, 'SIGKILL');
    expect(await running).to.deep.include({ status: 'killed', cause: 'crashed' });
    await until(() => lost.every((pid) => parentOf(pid) === undefined), START_MS);
    expect(await spawner()).to.not.equal(parent);
    expect((await scripts.run(ONE, { limits: LONG })).result).to.equal(1);
  });

  it('ends with the pool though that process does not listen', async function () {
    this.timeout(30_000);
    const stuck = openScripts({ workers: 1 });
    const parent = await spawner(stuck);
    const pids = stuck.host.pids();
    process.kill(parent, 'SIGSTOP');
    await stuck.host.close();
    await until(() => [parent, ...pids].every((pid) => parentOf(pid) === undefined), START_MS);
  });

  it('leaves nothing behind when the pool is closed', async () => {
    const pids = [await spawner(), ...scripts.host.pids()];
    await scripts.host.close();
    for (const pid of pids) expect(parentOf(pid)).to.equal(undefined);
  });
});
