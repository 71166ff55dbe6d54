import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Config } from '../../config/schema.ts';
import { whileLocked } from '../../db/while-locked.ts';
import type { Clock } from '../../kit/clock.ts';
import { errorCode } from '../../kit/error-code.ts';
import type { KeyRingFile } from '../../kit/key-ring-file.ts';
import type { Logger } from '../../kit/logger.ts';
import { writeNew } from '../../kit/new-file.ts';
import { keySealer, readPassphrase } from './sealed-keys.ts';
import { writeBackup } from './write-backup.ts';

/** The advisory lock that is held while a backup is made. The number spells "svcbak" in ASCII. */
const LOCK = 0x737663_62616b;
/** Half an hour less than a day, since the schedule looks once an hour. */
const DUE_AFTER_MS = 23.5 * 3_600_000;
const NAME = /^svc-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;
const DRAFT = /^svc-\d{8}T\d{6}Z\.backup\.\d+\.tmp$/;

/** A backup that was made daily. */
interface MadeBackup {
  readonly path: string;
  readonly at: Date;
}

export interface DailyBackupDeps {
  /** Database URL. */
  readonly url: string;
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
  /** The file of the encryption keys, if they do not come from the settings. */
  readonly keyFile?: Pick<KeyRingFile, 'read'> | undefined;
}

export type BackupConfig = Pick<
  Config,
  'SVC_BACKUP_DIR' | 'SVC_BACKUP_KEEP' | 'SVC_BACKUP_PASSPHRASE_FILE' | 'SVC_ENCRYPTION_KEYS'
>;

/** Makes a backup once a day, on the instance that the schedule chooses, and keeps the newest few. */
export class DailyBackup {
  readonly #folder: string;
  readonly #config: BackupConfig;
  readonly #deps: DailyBackupDeps;

  private constructor(folder: string, config: BackupConfig, deps: DailyBackupDeps) {
    this.#folder = folder;
    this.#config = config;
    this.#deps = deps;
  }

  /**
   * @returns undefined without `SVC_BACKUP_DIR`
   * @throws BackupFault when the passphrase cannot be read
   */
  static async open(config: BackupConfig, deps: DailyBackupDeps): Promise<DailyBackup | undefined> {
    if (config.SVC_BACKUP_DIR === undefined) return undefined;
    const daily = new DailyBackup(config.SVC_BACKUP_DIR, config, deps);
    await daily.#passphrase();
    return daily;
  }

  /** Makes a backup if the newest one in the folder is a day old, and no other instance is making one. */
  async makeIfDue(): Promise<void> {
    const now = this.#deps.clock.now();
    await whileLocked(this.#deps.db, LOCK, async () => {
      const newest = (await backupsIn(this.#folder)).at(-1);
      if (newest === undefined || now.getTime() - newest.at.getTime() >= DUE_AFTER_MS) await this.#make(now);
    });
  }

  async #make(now: Date): Promise<void> {
    const { url, log } = this.#deps;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#removeDrafts();
    const sealedKeys = keySealer(await this.#passphrase(), { config: this.#config, keyFile: this.#deps.keyFile });
    const path = join(this.#folder, nameAt(now));
    await writeNew(path, (file) => writeBackup({ url, log, now, sealedKeys }, file));
    log.info('a backup was made', { file: path, hasKeys: sealedKeys !== undefined });
    await this.#removeOld();
  }

  /** Removes what a process left that was killed while it made a backup. */
  async #removeDrafts(): Promise<void> {
    for (const name of await namesIn(this.#folder)) if (DRAFT.test(name)) await rm(join(this.#folder, name));
  }

  async #removeOld(): Promise<void> {
    const all = await backupsIn(this.#folder);
    for (const { path } of all.slice(0, -this.#config.SVC_BACKUP_KEEP)) await rm(path);
  }

  async #passphrase(): Promise<string | undefined> {
    const { SVC_BACKUP_PASSPHRASE_FILE: file } = this.#config;
    return file === undefined ? undefined : readPassphrase(file, 'SVC_BACKUP_PASSPHRASE_FILE');
  }
}

/** Returns the daily backups in a folder, the oldest first; none if there is no such folder. */
export async function backupsIn(folder: string): Promise<readonly MadeBackup[]> {
  const names = await namesIn(folder);
  return names.flatMap((name) => {
    const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
    return year === undefined
      ? []
      : [{ path: join(folder, name), at: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }];
  });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names.toSorted();
}

function nameAt(time: Date): string {
  return `svc-${time.toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z.backup`;
}
