import { ServiceError } from '../../errors.ts';
import { hashSecret } from '../../kit/random-id.ts';
import type { MembersDeps } from './deps.ts';
import type { Device } from './device.ts';
import { countAttempt, forgetAttempts, takeBackAttempt } from './sign-in-attempt-store.ts';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The maximum number of failed attempts within a window, counted over all instances. */
export interface Limit {
  readonly of: readonly (string | number)[];
  readonly max: number;
  readonly windowMs: number;
  /** True if strangers are counted under the same limit: a success then does not clear earlier failures. */
  readonly isShared: boolean;
}

/** The kind of attempt. Each kind has its own limits: a right password must not clear failed attempts at the factor. */
type Tried = 'password' | 'factor';

export interface SigningIn {
  readonly email: string;
  /** The member who has this e-mail; undefined if there is none. */
  readonly memberId: number | undefined;
  /** As `networkOf` returns it. */
  readonly network: string;
  readonly device: Device | undefined;
}

/** Returns the limits for somebody who is signing in. */
export function limitsAtSignIn(tried: Tried, { email, memberId, network, device }: SigningIn): readonly Limit[] {
  // The limit for a browser in which the member has signed in before: failures of strangers in other browsers do not count.
  if (device !== undefined && device.memberId === memberId)
    return [{ of: [tried, 'device', memberId, device.at], max: 10, windowMs: QUARTER_MS, isShared: false }];
  return [
    // The limit for all other browsers in one network, for any e-mail.
    { of: [tried, 'network', network], max: 50, windowMs: QUARTER_MS, isShared: true },
    // The limit for all other browsers, for one e-mail.
    { of: [tried, 'account', email], max: 20, windowMs: HOUR_MS, isShared: true },
  ];
}

/** Returns the limit for somebody who is signed in. */
export function limitOfMember(tried: Tried, memberId: number): Limit {
  return { of: [tried, 'member', memberId], max: 10, windowMs: QUARTER_MS, isShared: false };
}

/**
 * Runs a check of a password or factor within limits. Tokens of links need none: nobody finds 256 bits by trying.
 *
 * @param check resolves to undefined when the password or factor is wrong
 * @throws ServiceError `too_many_request` when one of the limits is exhausted
 */
export async function limitAttempts<T>(
  deps: MembersDeps,
  limits: readonly Limit[],
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  await requireAllFewer(deps, limits);
  const result = await check();
  if (result === undefined) return undefined;
  for (const { of, isShared } of limits) await (isShared ? takeBackAttempt : forgetAttempts)(deps.db, keyOf(of));
  return result;
}

/** Counts an attempt under every limit, or under none: if one limit refuses it, it does not count under the others. */
async function requireAllFewer(deps: MembersDeps, limits: readonly Limit[]): Promise<void> {
  for (const [at, limit] of limits.entries()) {
    try {
      await requireFewer(deps, limit);
    } catch (error) {
      for (const { of } of limits.slice(0, at)) await takeBackAttempt(deps.db, keyOf(of));
      throw error;
    }
  }
}

async function requireFewer({ db, clock }: MembersDeps, { of, max, windowMs }: Limit): Promise<void> {
  const now = clock.now();
  const { count, endsAt } = await countAttempt(db, keyOf(of), { now, windowEnds: new Date(now.getTime() + windowMs) });
  if (count <= max) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1_000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const message = `too many attempts; try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  throw new ServiceError('too_many_request', message, { retryAfterSeconds });
}

function keyOf(of: Limit['of']): Buffer {
  return hashSecret(JSON.stringify(of));
}
