import { expect } from 'chai';
import { ScriptHost } from '../../scripts-runtime/host.ts';
import { isWhole, openScripts, until } from '../support/script-host.ts';

const START_MS = 10_000;
/** The time within which the pool must be complete again: five times the goal of a second, because CI shares its cores. */
const WHOLE_MS = 5_000;
const LONG = { timeoutMs: 15_000 };
const ONE = 'export default () => 1;';
const SLEEP = (ms: number) => `export default () => new Promise((wake) => setTimeout(wake, ${ms}, ${ms}));`;

describe('the pool of runners', () => {
  it('starts no process before the first run, then one more than may run', async () => {
    await using scripts = openScripts();
    expect(scripts.host.pids()).to.deep.equal([]);
    expect((await scripts.run(ONE, { limits: LONG })).result).to.equal(1);
    await until(() => isWhole(scripts.host), START_MS);
    expect(scripts.host.pids()).to.have.length(3);
  });

  it('is complete again after all of its processes were killed, and runs the next script', async () => {
    await using scripts = openScripts();
    scripts.host.start();
    await until(() => isWhole(scripts.host), START_MS);
    const killed = scripts.host.pids();
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await until(() => !scripts.host.pids().some((pid) => killed.includes(pid)), WHOLE_MS);
    expect((await scripts.run(ONE, { limits: LONG })).result).to.equal(1);
    await until(() => isWhole(scripts.host), WHOLE_MS);
    expect(scripts.host.pids().filter((pid) => killed.includes(pid))).to.deep.equal([]);
  });

  for (const signal of ['SIGKILL', 'SIGSEGV', 'SIGABRT'] as const) {
    it(`reports only the run whose process died of ${signal} as crashed`, async () => {
      await using scripts = openScripts();
      scripts.host.start();
      await until(() => isWhole(scripts.host), START_MS);
      const other = scripts.run(SLEEP(300), { environmentKey: 'other', limits: LONG });
      const before = scripts.host.pids();
      const dying = scripts.run('export default (svc) => svc.getMetadata();', {
        hostFunctions: { getMetadata: () => new Promise(() => {}) },
        limits: LONG,
      });
      await until(() => scripts.host.status().running === 2, START_MS);
      // Processes are assigned in order: the first one to the other run, the second one to the run that is to die.
      process.kill(before[1] ?? 0, signal);
      expect(await dying).to.deep.include({ status: 'killed', cause: 'crashed' });
      expect((await other).result).to.equal(300);
      await until(() => isWhole(scripts.host), WHOLE_MS);
    });
  }

  it('replaces a process after its maximum number of runs', async () => {
    await using scripts = openScripts({ workers: 1, maxRuns: 3 });
    scripts.host.start();
    await until(() => isWhole(scripts.host, 1), START_MS);
    const first = new Set(scripts.host.pids());
    for (let run = 0; run < 8; run += 1) expect((await scripts.run(ONE, { limits: LONG })).status).to.equal('done');
    await until(() => isWhole(scripts.host, 1), WHOLE_MS);
    expect(scripts.host.pids().some((pid) => first.has(pid))).to.equal(false);
  });

  it('ends a run, waiting or running, when its caller cancels it', async () => {
    await using scripts = openScripts({ workers: 1 });
    const stop = new AbortController();
    const running = scripts.run('export default async () => { for (;;) await null; };', { signal: stop.signal, limits: LONG });
    const waiting = scripts.run(ONE, { signal: stop.signal, limits: LONG });
    await until(() => scripts.host.status().running === 1, START_MS);
    stop.abort();
    expect(await waiting).to.deep.include({ status: 'killed', cause: 'cancelled', durationMs: 0 });
    expect(await running).to.deep.include({ status: 'killed', cause: 'cancelled' });
    expect(await scripts.run(ONE, { signal: stop.signal })).to.deep.include({ status: 'killed', cause: 'cancelled' });
    expect((await scripts.run(ONE, { limits: LONG })).result).to.equal(1);
  });

  it('reports a timeout when the time of the caller is over, for waiting and for running scripts', async () => {
    await using scripts = openScripts({ workers: 1 });
    const late = new AbortController();
    const running = scripts.run('export default async () => { for (;;) await null; };', { signal: late.signal, limits: LONG });
    const waiting = scripts.run(ONE, { signal: late.signal, limits: LONG });
    await until(() => scripts.host.status().running === 1, START_MS);
    // A signal of `AbortSignal.timeout` aborts with this reason.
    late.abort(new DOMException('too late', 'TimeoutError'));
    expect(await waiting).to.deep.include({ status: 'failed', cause: 'timeout_waiting', durationMs: 0 });
    expect(await running).to.deep.include({ status: 'killed', cause: 'timeout' });
  });

  it('lets a run wait no longer than its maximum', async () => {
    await using scripts = openScripts({ workers: 1 });
    const leave = new AbortController();
    const running = scripts.run('export default async () => { for (;;) await null; };', { signal: leave.signal, limits: LONG });
    const impatient = await scripts.run(ONE, { maxWaitMs: 50, limits: LONG });
    expect(impatient).to.deep.include({ status: 'failed', cause: 'timeout_waiting', durationMs: 0 });
    leave.abort();
    await running;
  });

  it('lets running scripts end when it closes, refuses the rest, and leaves no process', async () => {
    const { host, run } = openScripts({ workers: 1 });
    const running = run(SLEEP(200), { limits: LONG });
    await until(() => host.status().running === 1, START_MS);
    const waiting = run(ONE, { limits: LONG });
    const pids = host.pids();
    await host.close(10_000);
    expect((await running).result).to.equal(200);
    expect(await waiting).to.deep.include({ status: 'failed', cause: 'closed' });
    expect(await run(ONE)).to.deep.include({ status: 'failed', cause: 'closed' });
    for (const pid of pids) expect(() => process.kill(pid, 0)).to.throw('ESRCH');
  });

  it('kills scripts that do not end within the grace period', async () => {
    const { host, run } = openScripts({ workers: 1 });
    const running = run('for (;;);', { limits: LONG });
    await until(() => host.status().running === 1, START_MS);
    await host.close(50);
    expect(await running).to.deep.include({ status: 'killed', cause: 'cancelled' });
  });

  it('reports that its processes cannot be started, and tries again later', async () => {
    const complaints: string[] = [];
    const program = { arguments: ['--eval', 'console.error("no addon here"); process.exit(1)'], guest: '{}' };
    await using scripts = openScripts({ program, onFailedStart: (complaint) => complaints.push(complaint) });
    expect(await scripts.run(ONE, { limits: LONG })).to.deep.include({ status: 'failed', cause: 'unavailable' });
    await until(() => complaints.length >= 2, START_MS);
    expect(complaints[0]).to.contain('no addon here');
  });

  it('survives a system that refuses at once to start a process', async () => {
    const complaints: string[] = [];
    const program = { arguments: ['--eval', 'x'.repeat(1e6)], guest: '{}' }; // longer than Linux accepts as one argument
    await using scripts = openScripts({ program, onFailedStart: (complaint) => complaints.push(complaint) });
    expect(await scripts.run(ONE, { limits: LONG })).to.deep.include({ status: 'failed', cause: 'unavailable' });
    expect(scripts.host.status().waiting).to.equal(0);
    await until(() => complaints.length >= 2, START_MS);
    expect(complaints[0]).to.match(/spawn \w+/);
  });

  it('limits memory where only the child can measure it', async () => {
    await using scripts = openScripts({ memoryReading: 'reported' });
    const outcome = await scripts.run('export default () => Array(1e9).fill(0).length;', { limits: { ...LONG, memoryMb: 32 } });
    expect(outcome).to.deep.include({ status: 'killed', cause: 'memory' });
    expect(outcome.memoryMb).to.be.above(32);
  });

  it('reports what a run cost', async () => {
    await using scripts = openScripts();
    const source =
      'export default async () => { const a = new Uint8Array(2e7).fill(1);' +
      ' await new Promise((wake) => setTimeout(wake, 100)); return a.length; };';
    const outcome = await scripts.run(source, { limits: LONG });
    // The parent measures from the message that the isolate has begun, which may arrive a little after the script's timer began.
    expect(outcome.durationMs).to.be.within(50, 10_000);
    expect(outcome.memoryMb).to.be.within(19, 60);
    expect(outcome.waitedMs).to.be.above(0);
  });

  it('refuses arguments that are no plain data, as a mistake of the caller', async () => {
    await using host = new ScriptHost({ workers: 1 });
    const run = host.run({ environmentKey: 'a', source: ONE, entry: 'default', facts: {}, args: [10n], hostFunctions: {} });
    expect(await run.catch((error: unknown) => error)).to.be.instanceOf(TypeError);
  });
});
