import type { Config } from '../../config/schema.ts';
import type { Clock } from '../../kit/clock.ts';
import { backupsIn } from '../../operate/backup/daily-backup.ts';
import { headerOf } from '../../operate/backup/read-backup.ts';
import { explain } from '../../operate/start-fault.ts';
import { type DoctorCheck, ok, warn } from './check.ts';

const NAME = 'backup';
const HOUR_MS = 3_600_000;
/** A backup is made once a day, and looked for once an hour. */
const OLD_HOURS = 26;

type BackupConfig = Pick<Config, 'DATABASE_URL' | 'SVC_BACKUP_DIR'>;

/** Checks whether there is a daily backup, how old it is, and whether the encryption keys are in it. */
export async function checkBackups({ DATABASE_URL, SVC_BACKUP_DIR: folder }: BackupConfig, clock: Clock): Promise<DoctorCheck> {
  if (folder === undefined && DATABASE_URL !== undefined)
    return ok(NAME, 'SVC_BACKUP_DIR is not set: back up Postgres and, in another place, SVC_ENCRYPTION_KEYS');
  if (folder === undefined)
    return warn(NAME, 'no backup is made, because SVC_BACKUP_DIR is not set', 'set it to a folder on another disk');
  try {
    const newest = (await backupsIn(folder)).at(-1);
    if (newest === undefined)
      return warn(NAME, `there is no backup in ${folder}`, 'see the log of the service, which makes the first one at its start');
    const hours = Math.floor((clock.now().getTime() - newest.at.getTime()) / HOUR_MS);
    if (hours >= OLD_HOURS)
      return warn(
        NAME,
        `the newest backup is ${hours} hours old: ${newest.path}`,
        'see the log of the service, which makes one a day',
      );
    if ((await headerOf(newest.path)).keys !== null) return ok(NAME, `${newest.path}, with the encryption keys`);
    const message = `${newest.path} does not contain the encryption keys, without which nobody can read the credentials in it`;
    return warn(NAME, message, 'keep a copy of the keys in another place, or set SVC_BACKUP_PASSPHRASE_FILE');
  } catch (error) {
    return warn(
      NAME,
      `the backups in ${folder} cannot be read: ${explain(error)}`,
      'correct SVC_BACKUP_DIR, or run doctor as the user of the service',
    );
  }
}
