import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkBackups } from '../../../../core/cli/doctor/backup.ts';
import { whileLocked } from '../../../../core/db/while-locked.ts';
import { KeyRingFile } from '../../../../core/kit/key-ring-file.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { backupsIn, DailyBackup } from '../../../../core/operate/backup/daily-backup.ts';
import { headerOf } from '../../../../core/operate/backup/read-backup.ts';
import { openSealedKeys } from '../../../../core/operate/backup/sealed-keys.ts';
import { startApp } from '../../../support/app.ts';
import { rememberSecret } from '../../../support/canaries.ts';
import { cloneDatabase } from '../../../support/database.ts';
import { expectCheck } from '../../../support/doctor.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { refusedStart } from '../../../support/refused-start.ts';
import { newServiceEnv } from '../../../support/service-env.ts';
import { until } from '../../../support/until.ts';
import { use } from '../../../support/use.ts';

const HOUR_MS = 3_600_000;
/** The lock of `daily-backup.ts`. */
const LOCK = 0x737663_62616b;

describe('the daily backup', function () {
  const database = use(this, cloneDatabase);
  const folder = use(this, temporaryFolder);
  const passphrase = rememberSecret('passphrase of backups', 'the passphrase of the daily backups');
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({ level: 'info', write: (line) => lines.push(JSON.parse(line)) });
  let now = new Date('2026-11-29T10:00:00Z');
  const clock = { now: () => now };
  const backups = () => join(folder.path, 'backups');
  const files = async () => (await readdir(backups())).toSorted();

  /** Opens the daily backup of an instance, whose passphrase is in a file of this name. */
  async function instance(passphraseFile?: string): Promise<DailyBackup> {
    const { SVC_ENCRYPTION_KEYS } = newServiceEnv();
    const keyFile = new KeyRingFile(join(folder.path, 'encryption-keys'));
    if ((await keyFile.read()) === undefined) await keyFile.create(SVC_ENCRYPTION_KEYS);
    const config = {
      SVC_BACKUP_DIR: backups(),
      SVC_BACKUP_KEEP: 3,
      SVC_BACKUP_PASSPHRASE_FILE: passphraseFile === undefined ? undefined : join(folder.path, passphraseFile),
      SVC_ENCRYPTION_KEYS: undefined,
    };
    const daily = await DailyBackup.open(config, { url: database.url, db: database.db, clock, log, keyFile });
    if (daily === undefined) throw new Error('the settings ask for a daily backup');
    return daily;
  }

  const doctor = () => checkBackups({ DATABASE_URL: undefined, SVC_BACKUP_DIR: backups() }, clock);

  it('is made at once, then when the newest is a day old, and the newest three are kept', async () => {
    expectCheck(await doctor(), 'warn', 'there is no backup in');
    const daily = await instance();
    await daily.makeIfDue();
    expect(await files()).to.deep.equal(['svc-20261129T100000Z.backup']);
    for (let hour = 0; hour < 23; hour += 1) {
      now = new Date(now.getTime() + HOUR_MS);
      await daily.makeIfDue();
    }
    expect(await files()).to.have.length(1);
    await writeFile(join(backups(), 'a file of somebody else'), '');
    for (let hour = 0; hour < 3 * 24; hour += 1) {
      now = new Date(now.getTime() + HOUR_MS);
      await daily.makeIfDue();
    }
    expect(await files()).to.deep.equal([
      'a file of somebody else',
      'svc-20261130T100000Z.backup',
      'svc-20261201T100000Z.backup',
      'svc-20261202T100000Z.backup',
    ]);
  });

  it('does not contain the encryption keys without a passphrase, which doctor says', async () => {
    expectCheck(await doctor(), 'warn', 'does not contain the encryption keys', 'SVC_BACKUP_PASSPHRASE_FILE');
    await writeFile(join(folder.path, 'passphrase'), `${passphrase}\n`);
    now = new Date(now.getTime() + 24 * HOUR_MS);
    const daily = await instance('passphrase');
    await daily.makeIfDue();
    expectCheck(await doctor(), 'ok', 'with the encryption keys');
    const { keys } = await headerOf(join(backups(), (await files()).at(-1) ?? ''));
    const text = await new KeyRingFile(join(folder.path, 'encryption-keys')).read();
    expect(await openSealedKeys(keys ?? '', passphrase)).to.equal(text);
  });

  it('is old after 26 hours, which doctor says', async () => {
    now = new Date(now.getTime() + 25 * HOUR_MS);
    expectCheck(await doctor(), 'ok');
    now = new Date(now.getTime() + HOUR_MS);
    expectCheck(await doctor(), 'warn', '26 hours old');
  });

  it('is made by one instance alone, which first removes what a killed one has left', async () => {
    const [one, two] = await Promise.all([instance('passphrase'), instance('passphrase')]);
    const before = await files();
    await whileLocked(database.db, LOCK, () => one.makeIfDue());
    expect(await files(), 'another instance is making one').to.deep.equal(before);
    await writeFile(join(backups(), 'svc-20261204T100000Z.backup.4711.tmp'), 'half of a backup');
    lines.length = 0;
    await Promise.all([one.makeIfDue(), two.makeIfDue()]);
    expect(lines.map(({ message }) => message)).to.deep.equal(['a backup was made']);
    expect((await files()).filter((name) => name.endsWith('.tmp'))).to.deep.equal([]);
  });

  it('keeps the former backups when it fails', async () => {
    now = new Date(now.getTime() + 24 * HOUR_MS);
    const before = await files();
    const daily = await instance('passphrase');
    await writeFile(join(folder.path, 'passphrase'), 'short');
    const error = await daily.makeIfDue().catch((reason: Error) => reason.message);
    expect(error).to.contain('SVC_BACKUP_PASSPHRASE_FILE must name a file with at least 20 characters');
    expect(await files()).to.deep.equal(before);
  });

  it('is made at a start although one was looked for just before, when the folder is another one', async () => {
    const env = { SVC_BACKUP_DIR: join(folder.path, 'another') };
    await using app = await startApp({ env });
    const { db } = app.database;
    await db('schedules').insert({ name: 'backup', due_at: db.raw("now() + interval '1 hour'") });
    await app.services.schedules.start();
    await until('there is a backup', async () => (await backupsIn(env.SVC_BACKUP_DIR)).length === 1);
  });

  it('stops the start when there is no passphrase where the settings say', async () => {
    const env = { ...newServiceEnv(), DATABASE_URL: database.url, SVC_BACKUP_DIR: backups() };
    const stderr = await refusedStart({ ...env, SVC_BACKUP_PASSPHRASE_FILE: join(folder.path, 'nowhere') });
    expect(stderr).to.contain('SVC_BACKUP_PASSPHRASE_FILE names the file').and.contain('ENOENT');
  });
});
