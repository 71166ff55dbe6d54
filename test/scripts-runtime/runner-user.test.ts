import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { RUNNER_ID } from '../../scripts-runtime/runner-user.ts';
import { identitiesOf } from '../support/process-facts.ts';
import { startService } from '../support/processes.ts';
import { isWhole, openScripts, type Scripts, until } from '../support/script-host.ts';
import { skipBecause } from '../support/skip.ts';

const START_MS = 10_000;
const UNPRIVILEGED = { uids: [RUNNER_ID], gids: [RUNNER_ID], groups: [], capabilities: ['0'] };
const SETPRIV = '/usr/bin/setpriv';

/**
 * Builds a program that tries, as a runner's user and without any other protection, what would harm the service. It prints the
 * result of each attempt.
 */
function probe({ files, folders, pids }: Readonly<Record<'files' | 'folders' | 'pids', readonly (string | number)[]>>): string {
  return `
    import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
    import { dropPrivileges } from '${new URL('../../scripts-runtime/runner-user.ts', import.meta.url)}';
    dropPrivileges();
    const said = (act) => { try { act(); return 'done'; } catch (error) { return error.code; } };
    const write = (file) => said(() => writeFileSync(file, ''));
    const results = [
      ...${JSON.stringify(files)}.flatMap((file) => [said(() => readFileSync(file)), write(file)]),
      ...${JSON.stringify(folders)}.flatMap((folder) => [said(() => readdirSync(folder)), write(folder + '/x')]),
      ...${JSON.stringify(pids)}.flatMap((pid) => [
        said(() => process.kill(pid, 'SIGSTOP')),
        said(() => readFileSync('/proc/' + pid + '/environ')),
      ]),
      said(() => process.setuid(0)),
    ];
    console.log(JSON.stringify(results));`;
}

describe('SBX-01: the user of a runner if the service runs as root', () => {
  before(function () {
    if (process.geteuid?.() !== 0) skipBecause(this, 'only root can give up root');
    if (!existsSync('/proc/self/status')) skipBecause(this, 'only Linux tells whose a process is');
  });

  it('has no account and no capabilities, in every thread', async () => {
    await using scripts = openScripts({ workers: 1 });
    scripts.host.start();
    await until(() => isWhole(scripts.host, 1), START_MS);
    expect(await scripts.run('export default () => 1;', { limits: { timeoutMs: 10_000 } })).to.include({ status: 'done' });
    expectUnprivileged(scripts);
  });

  it("cannot read the installation's data, nor signal or read the service and its database", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-runner-user-'));
    await chmod(dataDir, 0o711);
    try {
      await using service = await startService({ env: { SVC_DATA_DIR: dataDir } });
      const database = Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
      const files = ['api-key', 'account-key', 'encryption-keys'].map((name) => join(dataDir, name));
      const tries = { files, folders: [dataDir, join(dataDir, 'postgres')], pids: [service.pid ?? 0, database] };
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', probe(tries)]);
      const said: readonly string[] = JSON.parse(stdout);
      expect(said).to.have.length(15);
      for (const code of said) expect(code).to.be.oneOf(['EACCES', 'EPERM']);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('is required: if the system does not allow the change, nothing runs, and the log says what to do', async function () {
    if (!existsSync(SETPRIV)) skipBecause(this, 'setpriv takes capabilities away');
    const program = `
      import { ScriptHost } from '${new URL('../../scripts-runtime/host.ts', import.meta.url)}';
      const host = new ScriptHost({ workers: 1, onFailedStart: (complaint) => end(complaint) });
      const end = (text) => { console.log(text); process.exit(); };
      setInterval(() => { if (host.status().ready > 0) end('started'); }, 50);
      host.start();`;
    const without = ['--bounding-set=-setuid,-setgid', '--inh-caps=-setuid,-setgid'];
    const args = [...without, process.execPath, '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(SETPRIV, args);
    expect(stdout).to.contain('grant it CAP_SETUID and CAP_SETGID, or start the service as another user');
  });
});

function expectUnprivileged({ host }: Scripts): void {
  for (const pid of host.pids()) expect(identitiesOf(pid)).to.deep.equal(UNPRIVILEGED);
}
