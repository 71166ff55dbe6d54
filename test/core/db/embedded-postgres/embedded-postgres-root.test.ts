import { execFileSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import {
  type EmbeddedPostgresOptions,
  findRunning,
  startEmbeddedPostgres,
} from '../../../../core/db/embedded-postgres/embedded-postgres.ts';
import { locatePackage, prepareBinaries } from '../../../../core/db/embedded-postgres/postgres-binaries.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { type Folder, temporaryDiskFolder } from '../../../support/folders.ts';
import { skipBecause } from '../../../support/skip.ts';
import { useEach } from '../../../support/use.ts';
import { query, serverPid } from '../programs/cluster.ts';
import { Program } from '../programs/program.ts';

const NOBODY = { uid: 65534, gid: 65534 };
const log = createLogger({ level: 'silent' });

describe('the embedded database for root', function () {
  before(function () {
    if (process.geteuid?.() !== 0) skipBecause(this, 'only root can change to another user');
  });
  const folder = useEach(this, temporaryDiskFolder);

  const start = (dataDir: string, choice: Partial<EmbeddedPostgresOptions> = {}) =>
    startEmbeddedPostgres({ dataDir, explicitDataDir: true, log, ...choice });

  it('runs as another user, who owns the cluster and can pass through the data directory but not read it', async () => {
    const dataDir = join(folder.path, 'data');
    await using _postgres = await start(dataDir);
    const { uid } = await stat(`/proc/${serverPid(dataDir)}`);
    expect(uid).not.to.equal(0);
    expect((await stat(join(dataDir, 'postgres'))).uid).to.equal(uid);
    expect((await stat(dataDir)).mode & 0o777).to.equal(0o711);
  });

  it('goes on as the user who owns an existing cluster', async () => {
    const dataDir = join(folder.path, 'data');
    await mkdir(dataDir);
    await chown(dataDir, NOBODY.uid, NOBODY.gid);
    await using program = new Program('own-database', { dataDir, explicitDataDir: true }, NOBODY);
    const { url } = JSON.parse(await program.nextLine());
    await query(url, 'create table kept as select 7 as number');
    await program.kill('SIGTERM');

    await using postgres = await start(dataDir);
    expect((await stat(`/proc/${serverPid(dataDir)}`)).uid).to.equal(NOBODY.uid);
    expect(await query(postgres.url, 'select number from kept')).to.deep.equal([{ number: 7 }]);
  });

  it('refuses an explicit directory that the other user cannot reach, with reason and fix', async () => {
    const home = await closedHome(folder);
    const refused = await start(join(home, 'data')).catch((error: Error) => error.message);
    expect(refused).to.contain(`cannot enter ${home}`).and.contain('SVC_DATA_DIR').and.contain(`chmod o+x ${home}`);
    expect(await readdir(home), 'nothing was created').to.deep.equal([]);
  });

  it('moves the default directory to the system directory when it cannot be reached', async () => {
    const choice = { explicitDataDir: false, systemDir: join(folder.path, 'system') };
    const dataDir = join(await closedHome(folder), '.svc');
    await using postgres = await start(dataDir, choice);
    expect(postgres.dataDir).to.equal(choice.systemDir);
    expect(await query(postgres.url, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    expect((await findRunning({ dataDir, ...choice }))?.url).to.equal(postgres.url);
  });

  for (const [what, hasRun] of [
    ['as its install script leaves it', true],
    ['whose install script npm did not run', false],
  ] as const) {
    it(`copies a package that the other user cannot reach, ${what}, to the system directory, once`, async () => {
      const found = { ...locatePackage(), native: await closedPackage(folder, hasRun) };
      const target = { user: { ...NOBODY, name: 'nobody' }, copyTo: join(folder.path, 'system') };

      const { postgres, initdb } = await prepareBinaries(found, target);
      for (const program of [postgres, initdb]) expect(version(program)).to.contain('18.');
      const { ino } = await stat(postgres);
      expect((await stat((await prepareBinaries(found, target)).postgres)).ino).to.equal(ino);
      expect(await readdir(target.copyTo), 'no incomplete copies').to.have.length(1);
    });
  }

  it('replaces a copy that does not run', async () => {
    const found = { ...locatePackage(), native: await closedPackage(folder, true) };
    const target = { user: { ...NOBODY, name: 'nobody' }, copyTo: join(folder.path, 'system') };
    const { postgres } = await prepareBinaries(found, target);
    const library = join(dirname(dirname(postgres)), 'lib', 'libicuuc.so.60');
    await rm(library);
    await symlink(join(found.native, 'lib', 'libicuuc.so.60.2'), library);
    expect(() => version(postgres), 'the copy is broken').to.throw('libicuuc.so.60');

    expect(version((await prepareBinaries(found, target)).postgres)).to.contain('18.');
    expect(await readdir(target.copyTo)).to.have.length(1);
  });

  it('tells a normal user who owns a cluster that root created', async () => {
    const dataDir = join(folder.path, 'data');
    await (await start(dataDir))[Symbol.asyncDispose]();
    await chmod(dataDir, 0o777);
    await chown(join(dataDir, 'postgres'), 1, 1);
    await using program = new Program('own-database', { dataDir, explicitDataDir: true }, NOBODY);
    expect(JSON.parse(await program.nextLine()).refused).to.contain('belongs to another user (uid 1)');
  });

  it('says how to fix a directory that a normal user may not write to', async () => {
    await using program = new Program('own-database', { dataDir: join(folder.path, 'data'), explicitDataDir: true }, NOBODY);
    expect(JSON.parse(await program.nextLine()).refused)
      .to.contain('(EACCES)')
      .and.contain('SVC_DATA_DIR');
  });
});

/**
 * Copies the package of the embedded database into a folder that only root can enter.
 *
 * @param hasRun whether the package's install script has run
 */
async function closedPackage(folder: Folder, hasRun: boolean): Promise<string> {
  const native = join(await closedHome(folder), 'native');
  await cp(locatePackage().native, native, { recursive: true, verbatimSymlinks: true });
  const links: { source: string; target: string }[] = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    await rm(path, { force: true });
    // The install script creates relative links, too.
    if (hasRun) await symlink(basename(source), path);
  }
  return native;
}

function version(program: string): string {
  return execFileSync(program, ['--version'], { ...NOBODY, cwd: '/', encoding: 'utf8', stdio: 'pipe' });
}

async function closedHome({ path }: Folder): Promise<string> {
  const home = join(path, 'home');
  await mkdir(home, { mode: 0o700 });
  return home;
}
