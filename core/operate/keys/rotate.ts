import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Notices } from '../../db/notices.ts';
import { withTransaction } from '../../db/transaction.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import type { KeyRingFile } from '../../kit/key-ring-file.ts';
import { killPoint } from '../../kit/kill-point.ts';
import { knownKeys, retireOthers } from './encryption-key-store.ts';
import { announceKey, retiredIds } from './encryption-keys.ts';
import { KEYS_TOPIC } from './key-follower.ts';
import { type KeyReport, keyReports, silentInstances } from './key-report-store.ts';
import { type Resealing, resealAll } from './reseal.ts';
import { whileLocked } from './rotation-lock-store.ts';
import { neededBy } from './status.ts';

const POLL_MS = 200;
const REMIND_MS = 2_000;
/** An instance that reports this many milliseconds after the request, and has not complied, is unable to. */
const PATIENCE_MS = 5_000;
/** Milliseconds for which an instance that ends can still be seen after its last report. */
const SILENCE_MS = 10_000;
/**
 * Milliseconds after which every statement that an instance began with the old key has ended (`transaction.ts`, `database.ts`).
 */
const SETTLE_MS = 6_000;
const NUMBERED_ID = /^k(\d{1,9})$/;

interface RotationDeps {
  /** The database, with a pool of at least two connections. */
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly notices: Pick<Notices, 'publish'>;
  /** The file of the keys; undefined when they come from the variable, in which the operator puts the new key first. */
  readonly keyFile: KeyRingFile | undefined;
}

interface RotationEvents {
  /** Reports to a person what is waited for, or what was done. */
  onStep(text: string): void;
  onProgress(column: string, resealed: number): void;
}

interface Rotation extends Resealing {
  /** The key that encrypts now. */
  readonly keyId: string;
  readonly retired: readonly string[];
}

/** A rotation that cannot be done now. The message says what the operator can do. */
export class RotationRefused extends Error {
  override readonly name = 'RotationRefused';
}

/**
 * Makes a key the only one that encrypts, on every running instance, then re-encrypts with it all values of the other keys. The
 * work may be ended at any step; when repeated, it continues.
 *
 * 1. Every instance loads the key, since all must be able to read what one encrypts.
 * 2. The other keys are retired; every instance encrypts with this one.
 * 3. Stored values are re-encrypted, until none of another key is found.
 *
 * @throws RotationRefused
 */
export async function rotateKeys(deps: RotationDeps, events: RotationEvents): Promise<Rotation> {
  const done = await whileLocked(deps.db, () => rotate(deps, events));
  if (done === undefined) throw new RotationRefused('another `keys rotate` or an import is running');
  return done.result;
}

async function rotate(deps: RotationDeps, events: RotationEvents): Promise<Rotation> {
  const { db, keys, keyFile } = deps;
  const keyId = await chooseKey(deps, events);
  await untilAll(deps, { events, what: `have the key "${keyId}"`, isSo: ({ keyIds }) => keyIds.includes(keyId) });
  await withTransaction(db, async (trx) => {
    await announceKey(trx, keys, keyId);
    await retireOthers(trx, keyId);
  });
  killPoint('keys-retired');
  const retired = retiredIds(await knownKeys(db));
  keys.retire(retired);
  const isSo = ({ currentKeyId }: KeyReport) => currentKeyId === keyId;
  const running = await untilAll(deps, { events, what: `encrypt with "${keyId}"`, isSo });
  await keyFile?.putFirst(keyId);

  const first = await resealAll(deps, { ...events, isShared: running > 0 });
  if (running === 0) return { keyId, retired, ...first };
  events.onStep('re-encrypting values that instances wrote meanwhile');
  await wait(SETTLE_MS);
  const last = await resealAll(deps, { onProgress: () => undefined, isShared: true });
  return { keyId, retired, resealed: sum(first.resealed, last.resealed), unreadable: last.unreadable };
}

/** Returns the first key of the variable; with a file, the key with which an earlier rotation has begun, or a new one. */
async function chooseKey(deps: RotationDeps, { onStep }: RotationEvents): Promise<string> {
  const { db, keys, keyFile } = deps;
  const [first = ''] = keys.keyIds;
  if (keyFile === undefined) {
    if (keys.keyIds.length > 1) return first;
    throw new RotationRefused(
      `SVC_ENCRYPTION_KEYS has only the key "${first}": put a new key before it, such as k2:$(openssl rand -base64 32)`,
    );
  }
  await keyFile.learn(keys);
  const retired = retiredIds(await knownKeys(db));
  const active = keys.keyIds.filter((id) => !retired.includes(id));
  const begun = active.at(-1);
  if (begun !== undefined && (active.length > 1 || (await isNeeded(deps, retired)))) return begun;

  const keyId = unusedId([...keys.keyIds, ...(await knownKeys(db)).map(({ key_id: id }) => id)]);
  await keyFile.add(keyId);
  await keyFile.learn(keys);
  onStep(`created the key "${keyId}" in ${keyFile.path}`);
  killPoint('key-made');
  return keyId;
}

async function isNeeded({ db, keys }: RotationDeps, retired: readonly string[]): Promise<boolean> {
  const needed = await neededBy(db);
  return retired.some((id) => keys.has(id) && needed.has(id));
}

function unusedId(taken: readonly string[]): string {
  const numbers = taken.map((id) => Number(NUMBERED_ID.exec(id)?.[1] ?? 0));
  return `k${Math.max(...numbers) + 1}`;
}

/** Waits until all instances satisfy `isSo`. @returns how many instances run @throws RotationRefused when some cannot */
async function untilAll(
  { db, notices }: RotationDeps,
  { events, what, isSo }: { readonly events: RotationEvents; readonly what: string; isSo(report: KeyReport): boolean },
): Promise<number> {
  const beganMs = performance.now();
  for (let reminders = 0; ; ) {
    const [reports, silent] = [await keyReports(db), await silentInstances(db)];
    const waitedMs = performance.now() - beganMs;
    const others = reports.filter((report) => !isSo(report));
    if (others.length + silent.length === 0) return reports.length;
    const unable = others.filter(({ ageMs }) => waitedMs - ageMs > PATIENCE_MS).map(({ instanceId }) => instanceId);
    if (unable.length > 0)
      throw new RotationRefused(
        `these instances do not ${what}: ${unable.join(', ')}; restart them with all keys, then repeat the command`,
      );
    if (silent.length > 0 && waitedMs > SILENCE_MS)
      throw new RotationRefused(
        `these instances do not report which keys they have: ${silent.join(', ')}; restart them, then repeat the command`,
      );
    if (reminders === 0) events.onStep(`waiting until all instances ${what}`);
    if (waitedMs >= reminders * REMIND_MS) {
      await notices.publish(db, KEYS_TOPIC, '');
      reminders += 1;
    }
    await wait(POLL_MS);
  }
}

function sum(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const total: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) total[name] = (total[name] ?? 0) + count;
  return total;
}
