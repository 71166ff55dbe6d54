import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { newKeyRingText } from '../../core/kit/key-ring.ts';
import { rememberSecret } from '../support/canaries.ts';
import { CommandLine } from '../support/command-line.ts';
import { emptyDatabase } from '../support/database.ts';
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

  it('restore into an empty Postgres from backup and passphrase alone, and take out its keys', async () => {
    await svc('backup', path('three'), '--with-keys', '--passphrase-file', path('passphrase'));
    await using database = await emptyDatabase();
    const bare = { DATABASE_URL: database.url, SVC_DATA_DIR: path('third') };
    const restore = (env: Record<string, string>, ...flags: string[]) =>
      commandLine.run({ ...bare, ...env }, 'restore', path('three'), '--passphrase-file', path('passphrase'), ...flags);
    const seen = await restore({}, '--check', '--json');
    expect(JSON.parse(seen.stdout || '{}'), seen.stderr).to.include({ with_keys: true });

    const wrong = await restore({ SVC_ENCRYPTION_KEYS: newKeyRingText().replace(/^k1/, 'k2') });
    expect([wrong.code, wrong.stderr]).to.deep.equal([
      1,
      'the database was encrypted with the key "k1", which is missing; add it to SVC_ENCRYPTION_KEYS; ' +
        '`restore FILE --keys-to KEYS` takes the keys out of this backup\n',
    ]);
    const restored = await restore({}, '--json');
    expect(JSON.parse(restored.stdout || '{}'), restored.stderr).to.include({ restored: path('three'), database: 'external' });

    const without = await commandLine.run(bare, 'env', 'list');
    expect(without.stderr).to.match(/^these settings are invalid: SVC_ENCRYPTION_KEYS must be set .*--keys-to KEYS/);
    expect((await restore({}, '--keys-to', path('third-keys'))).code).to.equal(0);
    const SVC_ENCRYPTION_KEYS = (await readFile(path('third-keys'), 'utf8')).trim();
    const listed = await commandLine.run({ ...bare, SVC_ENCRYPTION_KEYS }, 'env', 'list');
    expect(listed.stdout, listed.stderr).to.contain('dev');
  });

  it('say what is wrong with their arguments', async () => {
    expect((await svc('backup')).stderr).to.contain('backup needs one file');
    expect((await svc('restore', path('nowhere'))).stderr).to.contain('ENOENT');
    expect((await svc('restore', path('passphrase'))).stderr).to.equal('this is not a backup of svc\n');
  });
});
