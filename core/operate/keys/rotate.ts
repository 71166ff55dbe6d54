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
import { whileRotating } from './rotation-lock-store.ts';
import { neededBy } from './status.ts';

const POLL_MS = 200;
const REMIND_MS = 2_000;
/**
 * Milliseconds within which an instance must comply with a request to load a key, or to encrypt with it. One that has not done so
 * in a later report is considered unable to.
 */
const PATIENCE_MS = 5_000;
/**
 * Milliseconds to wait for a running instance without a report. One that is ending may still be visible for a moment after it has
 * deleted its report.
 */
const SILENCE_MS = 10_000;
/**
 * Milliseconds after which every statement has ended that an instance began while it still encrypted with the old key
 * (`transaction.ts`, `database.ts`).
 */
const SETTLE_MS = 6_000;
const NUMBERED_ID = /^k(\d{1,9})$/;

interface RotationDeps {
  /** The database, with a pool of at least two database connections: one holds the lock during the whole rotation. */
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly notices: Pick<Notices, 'publish'>;
  /** The file of the keys; undefined when they are in `SVC_ENCRYPTION_KEYS`, where the operator puts the new key first. */
  readonly keyFile: KeyRingFile | undefined;
}

interface RotationEvents {
  /** Called with a text for the operator: what the rotation is waiting for, or what it has done. */
  onStep(text: string): void;
  onProgress(column: string, resealed: number): void;
}

interface Rotation extends Resealing {
  /** The ID of the key that encrypts from now on. */
  readonly keyId: string;
  readonly retired: readonly string[];
}

/** The error when keys cannot be rotated now. The message says what the operator can do. */
export class RotationRefused extends Error {
  override readonly name = 'RotationRefused';
}

/**
 * Makes a key the only one that encrypts, on every running instance, then re-encrypts all values of the other keys with it. The
 * work may be interrupted at any step; when repeated, it continues from there.
 *
 * 1. Every instance loads the key, since all must be able to decrypt what any of them encrypts with it.
 * 2. The other keys are retired, and every instance begins to encrypt with this one.
 * 3. Stored values are re-encrypted until none is left that another key has sealed.
 *
 * @throws RotationRefused
 */
export async function rotateKeys(deps: RotationDeps, events: RotationEvents): Promise<Rotation> {
  const done = await whileRotating(deps.db, () => rotate(deps, events));
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

/**
 * Returns the first key of `SVC_ENCRYPTION_KEYS`. If the keys are in a file, returns the key of an earlier rotation that is
 * unfinished, or a new one.
 */
async function chooseKey(deps: RotationDeps, { onStep }: RotationEvents): Promise<string> {
  const { db, keys, keyFile } = deps;
  const [first = ''] = keys.keyIds;
  if (keyFile === undefined) {
    if (keys.keyIds.length > 1) return putFirst(deps, first);
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

/** @throws RotationRefused when the key has encrypted everything so far, and a new one waits behind it */
async function putFirst({ db, keys }: RotationDeps, first: string): Promise<string> {
  const known = await knownKeys(db);
  const added = keys.keyIds.filter((id) => !known.some(({ key_id: used }) => used === id));
  const isOnlyOne = known.every(({ key_id: id, retired_at: since }) => (id === first) === (since === null));
  const needs = await neededBy(db);
  if (added.length === 0 || added.includes(first) || !isOnlyOne || [...needs.keys()].some((id) => id !== first)) return first;
  throw new RotationRefused(
    `nothing to do: "${first}" encrypts everything already; put the new key first (${added.join(', ')} was never used)`,
  );
}

async function isNeeded({ db, keys }: RotationDeps, retired: readonly string[]): Promise<boolean> {
  const needed = await neededBy(db);
  return retired.some((id) => keys.has(id) && needed.has(id));
}

function unusedId(taken: readonly string[]): string {
  const numbers = taken.map((id) => Number(NUMBERED_ID.exec(id)?.[1] ?? 0));
  return `k${Math.max(...numbers) + 1}`;
}

/**
 * Waits until the reports of all instances satisfy `isSo`.
 *
 * @returns how many instances are running
 * @throws RotationRefused when the reports of some do not, or some send none
 */
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
