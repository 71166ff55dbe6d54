import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { rememberSecret } from '../support/canaries.ts';
import { CommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Installation } from '../support/installation.ts';
import { use } from '../support/use.ts';

describe('the commands backup and restore', function () {
  this.timeout(60_000);
  const installation = use(this, () => Installation.open());
  const commandLine = use(this, async () => new CommandLine());
  const folder = use(this, temporaryFolder);
  const path = (name: string) => join(folder.path, name);
  const svc = (...args: string[]) => commandLine.run(installation.env, ...args);
  const passphrase = rememberSecret('passphrase of a backup', 'the passphrase of one backup');

  before(async () => {
    await (await installation.startApp()).api.get('/connections');
    await writeFile(path('passphrase'), passphrase);
  });

  it('write a file that only its owner can read, never over another one, and record it', async () => {
    const { code, stdout, stderr } = await svc('backup', path('one'), '--json');
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.include({ file: path('one'), with_keys: false });
    expect((await stat(path('one'))).mode & 0o777).to.equal(0o600);
    const again = await svc('backup', path('one'));
    expect([again.code, again.stderr]).to.deep.equal([1, 'the file already exists: choose another name\n']);
    const trail = (await svc('audit', 'export')).stdout;
    expect(trail)
      .to.contain('"action":"backup.create"')
      .and.contain(`"to":"${path('one')}"`);
  });

  it('need a passphrase for the encryption keys', async () => {
    const without = await svc('backup', path('two'), '--with-keys');
    expect([without.code, without.stderr]).to.deep.equal([
      2,
      'the encryption keys need a passphrase: --passphrase-file FILE; create one with: openssl rand -base64 32 > FILE\n',
    ]);
    const made = await svc('backup', path('two'), '--with-keys', '--passphrase-file', path('passphrase'), '--json');
    expect(JSON.parse(made.stdout), made.stderr).to.include({ with_keys: true });
    const given = await svc('restore', path('two'), '--keys-to', path('keys'), '--passphrase-file', path('passphrase'));
    expect(given.code, given.stderr).to.equal(0);
    expect((await readFile(path('keys'), 'utf8')).trim()).to.equal(installation.env.SVC_ENCRYPTION_KEYS);
  });

  it('look at a backup without a database', async () => {
    const elsewhere = { SVC_DATA_DIR: path('elsewhere') };
    const seen = await commandLine.run(
      { ...elsewhere, SVC_ENCRYPTION_KEYS: installation.env.SVC_ENCRYPTION_KEYS },
      ...['restore', path('one'), '--check', '--json'],
    );
    expect(JSON.parse(seen.stdout), seen.stderr).to.include({ with_keys: false });
    for (const flags of [['--check'], ['--keys-to', path('none')], []]) {
      const { code, stderr } = await commandLine.run(elsewhere, 'restore', path('one'), ...flags);
      expect([code, stderr], flags.join()).to.deep.equal([
        1,
        'the backup does not contain the encryption keys: set SVC_ENCRYPTION_KEYS, or put the file encryption-keys into the data directory\n',
      ]);
    }
  });

  it('say what is wrong with their arguments', async () => {
    expect((await svc('backup')).stderr).to.contain('backup needs one file');
    expect((await svc('restore', path('nowhere'))).stderr).to.contain('ENOENT');
    expect((await svc('restore', path('passphrase'))).stderr).to.equal('this is not a backup of svc\n');
  });
});
