import { parseArgs } from 'node:util';
import { recordAudit } from '../journal/audit-trail/record.ts';
import { dropRetiredKeys } from '../operate/keys/encryption-keys.ts';
import { RotationRefused, rotateKeys } from '../operate/keys/rotate.ts';
import { type KeyStatus, keyStatus } from '../operate/keys/status.ts';
import { firstAccountId } from '../tenants/environments/environment-store.ts';
import { accountContext } from './audit-context.ts';
import { type CommandContext, openContext } from './command-context.ts';
import { commandError, printList, printObject, usageError } from './output.ts';

/** Minimum milliseconds between two lines of progress. */
const PROGRESS_MS = 1_000;
const OPTIONS = { json: { type: 'boolean' } } as const;

/** `keys status`, `keys rotate`: commands for the key ring that encrypts stored values. */
export async function keysCommand([action, ...rest]: readonly string[]): Promise<void> {
  if (action === 'status') return status(rest);
  if (action === 'rotate') return rotate(rest);
  throw usageError('keys status | keys rotate (see docs/encryption-keys.md)');
}

async function status(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: OPTIONS });
  await using context = await openContext();
  const keys = await keyStatus(context);
  if (values.json) printList(keys.map(shownKey), true);
  else for (const key of keys) console.log(sentence(key));
}

async function rotate(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: OPTIONS });
  await using context = await openContext();
  const rotation = await rotateKeys(context, { onStep: say, onProgress: progress() }).catch((error: unknown) => {
    throw error instanceof RotationRefused ? commandError(error.message) : error;
  });
  const dropped = await dropIfAlone(context);
  const { keyId, retired, resealed, unreadable } = rotation;
  await record(context, { encrypts: keyId, retired, dropped, unreadable });
  printObject({ encrypts: keyId, retired, resealed, unreadable, dropped_from_file: dropped }, values.json === true);
  const lost = Object.entries(unreadable).map(([column, count]) => `${count} of ${column}`);
  if (lost.length > 0) throw commandError(`these values could not be decrypted and stay unchanged: ${lost.join(', ')}`);
}

/**
 * Removes retired keys from their file if no other process uses the database. While the service runs, it still has them, so only
 * its next start can do this.
 */
async function dropIfAlone({ db, keyFile, isExclusive }: CommandContext): Promise<readonly string[]> {
  return isExclusive ? dropRetiredKeys(db, keyFile) : [];
}

async function record(context: CommandContext, facts: Readonly<Record<string, unknown>>): Promise<void> {
  const subject = { type: 'encryption_keys' } as const;
  const by = accountContext(await firstAccountId(context.db));
  await recordAudit(context, { ...by, action: 'encryption_keys.rotate', subject, facts });
}

function shownKey({ id, given, encrypts, ...key }: KeyStatus) {
  return {
    id,
    given,
    encrypts,
    retired_at: key.retiredAt?.toISOString() ?? null,
    values: key.values,
    needed_by: key.neededBy,
    instances: key.instances,
    may_be_dropped: key.mayBeDropped,
  };
}

function sentence({ id, given, encrypts, values, neededBy, mayBeDropped, retiredAt }: KeyStatus): string {
  const role = encrypts ? 'encrypts' : retiredAt === null ? 'decrypts' : 'retired';
  const need = values === 0 ? 'no value is encrypted with it' : `${values} values are encrypted with it: ${columns(neededBy)}`;
  const advice = mayBeDropped && given ? '; it can be removed' : '';
  return `${id}  ${role}${given ? '' : ', not in the settings'}  ${need}${advice}`;
}

function columns(counts: KeyStatus['neededBy']): string {
  return Object.entries(counts)
    .map(([column, count]) => `${column} ${count}`)
    .join(', ');
}

function say(text: string): void {
  console.error(text);
}

function progress(): (column: string, resealed: number) => void {
  let saidMs = Number.NEGATIVE_INFINITY;
  return (column, resealed) => {
    if (resealed === 0 || performance.now() - saidMs < PROGRESS_MS) return;
    saidMs = performance.now();
    say(`${column}: ${resealed} re-encrypted`);
  };
}
