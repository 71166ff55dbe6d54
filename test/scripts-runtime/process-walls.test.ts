import { execFile, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readProgram } from '../../scripts-runtime/program.ts';
import { handlesOf, parentOf } from '../support/process-facts.ts';
import { isWhole, openScripts, until } from '../support/script-host.ts';
import { skipBecause } from '../support/skip.ts';
import { projectFolder } from '../support/source-files.ts';
import { use } from '../support/use.ts';

const START_MS = 10_000;

/** A program that tries, with the permissions of a runner, what a runner must not be able to do. */
const PROBE = `
  const tries = {
    read: () => process.getBuiltinModule('node:fs').readFileSync('${projectFolder}package.json'),
    passwords: () => process.getBuiltinModule('node:fs').readFileSync('/etc/passwd'),
    own: () => process.getBuiltinModule('node:fs').readFileSync('/proc/self/environ'),
    list: () => process.getBuiltinModule('node:fs').readdirSync('/'),
    write: () => process.getBuiltinModule('node:fs').writeFileSync('/tmp/svc-probe', ''),
    start: () => process.getBuiltinModule('node:child_process').execFileSync('/bin/true'),
    thread: () => new (process.getBuiltinModule('node:worker_threads').Worker)('1', { eval: true }),
  };
  const refused = Object.entries(tries).filter(([, act]) => {
    try { act(); return false; } catch (error) { return error.code === 'ERR_ACCESS_DENIED'; }
  });
  process.stdout.write(JSON.stringify({ refused: refused.map(([name]) => name), tried: Object.keys(tries), env: process.env }));
`;

describe('SBX-01: the process of a runner', function () {
  const scripts = use(this, openScripts);
  before(async () => {
    scripts.host.start();
    await until(() => isWhole(scripts.host), START_MS);
  });

  it('may read no files, write nothing and start nothing', async () => {
    const args = [...readProgram().arguments.slice(0, -1), PROBE];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: {}, cwd: '/' });
    const { refused, tried, env } = JSON.parse(stdout);
    expect(refused).to.deep.equal(tried);
    expect(env).to.deep.equal({});
  });

  it('has an empty environment and a low priority, and is killed first when memory is short', function () {
    if (process.platform !== 'linux') skipBecause(this, 'only Linux has /proc');
    for (const pid of scripts.host.pids()) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).to.equal('');
      expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).to.equal('1000');
      expect(getPriority(pid)).to.be.above(getPriority());
    }
  });

  it('has no handle of the service but its channel, nor one that the service inherited', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'only Linux has /proc');
    const file = await open(fileURLToPath(import.meta.url));
    await using service = startService(file.fd);
    const pids = await service.runners();
    const given = handlesOf(service.pid).filter((target) => target.endsWith('.test.ts'));
    expect(given, 'the service was given a handle').to.have.length(1);
    for (const pid of pids) {
      const handles = () => handlesOf(pid).filter((target) => !/^anon_inode:|^\/dev\/null$/.test(target));
      // A starting runner opens and closes some files, such as OpenSSL's configuration. Inherited handles would stay open.
      await until(() => handles().every((target) => /^(socket|pipe):/.test(target)), START_MS);
      expect(handles().filter((target) => handlesOf(service.pid).includes(target))).to.deep.equal([]);
    }
    await file.close();
  });

  it('ends with the service, even when the service is killed and a script loops', async () => {
    await using service = startService();
    const pids = await service.runners();
    expect(pids).not.to.deep.equal([]);
    process.kill(service.pid, 'SIGKILL');
    await until(() => pids.every((pid) => parentOf(pid) === undefined), START_MS);
  });

  it('survives a signal that a terminal sends to all processes of the service', async () => {
    const slow = scripts.run('export default () => new Promise((done) => setTimeout(() => done(1), 500));', {
      limits: { timeoutMs: START_MS },
    });
    await until(() => scripts.host.status().running === 1, START_MS);
    for (const pid of scripts.host.pids()) process.kill(pid, 'SIGINT');
    expect((await slow).result).to.equal(1);
  });
});

interface Service extends AsyncDisposable {
  readonly pid: number;
  /** Waits until a script is running. @returns the process IDs of the service's runners */
  runners(): Promise<readonly number[]>;
}

/** Starts a process with a pool of runners and a script that loops. @param given the handle that it inherits as number 5 */
function startService(given: number | 'ignore' = 'ignore'): Service {
  const program = `
    import { ScriptHost } from '${new URL('../../scripts-runtime/host.ts', import.meta.url)}';
    const host = new ScriptHost({ workers: 1 });
    const run = { source: 'for (;;);', entry: 'default', facts: {}, args: [], hostFunctions: {} };
    host.run({ ...run, environmentKey: 'a' });
    setInterval(() => { if (host.status().running === 1) console.log(JSON.stringify(host.pids())); }, 50);`;
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', 'ignore', 'ignore', given];
  const service = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio });
  return {
    pid: service.pid ?? 0,
    runners: async () => {
      if (service.stdout === null) return [];
      const [line] = await once(service.stdout, 'data');
      return JSON.parse(String(line).split('\n')[0] ?? '[]');
    },
    [Symbol.asyncDispose]: async () => {
      if (service.exitCode !== null || service.signalCode !== null) return;
      service.kill('SIGKILL');
      await once(service, 'exit');
    },
  };
}
