import { ServiceError } from '../errors.ts';
import { hashSecret } from '../kit/random-id.ts';
import type { MembersDeps } from './deps.ts';
import { countAttempt, forgetAttempts, takeBackAttempt } from './sign-in-attempt-store.ts';

const WINDOW_MS = 15 * 60_000;
const MAX_OF_PAIR = 5;
const MAX_OF_ADDRESS = 50;

interface Attempt {
  /** What is tried: an e-mail, or a kind of link. */
  readonly subject: string;
  /** Of the client, an IPv6 one as its network; undefined: of somebody who is signed in, whom strangers must not lock out. */
  readonly network?: string | undefined;
}

/**
 * Runs a check of a secret that people type, at most 5 times without success in 15 minutes for one subject and address, and 50
 * times for one address. Over all instances.
 *
 * @param check undefined: what was entered is wrong
 * @throws ServiceError `too_many_request`
 */
export async function limitAttempts<T>(
  deps: MembersDeps,
  { subject, network }: Attempt,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const pair = hashSecret(JSON.stringify([subject, network]));
  const address = network === undefined ? undefined : hashSecret(JSON.stringify([network]));
  if (address !== undefined) await requireFewer(deps, address, MAX_OF_ADDRESS);
  await requireFewer(deps, pair, MAX_OF_PAIR);
  const result = await check();
  if (result === undefined) return undefined;
  await forgetAttempts(deps.db, pair);
  if (address !== undefined) await takeBackAttempt(deps.db, address);
  return result;
}

async function requireFewer({ db, clock }: MembersDeps, keyHash: Buffer, limit: number): Promise<void> {
  const now = clock.now();
  const { count, endsAt } = await countAttempt(db, keyHash, { now, windowEnds: new Date(now.getTime() + WINDOW_MS) });
  if (count <= limit) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1_000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const message = `too many attempts; try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  throw new ServiceError('too_many_request', message, { retryAfterSeconds });
}
