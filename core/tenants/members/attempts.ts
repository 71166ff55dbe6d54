import { ServiceError } from '../../errors.ts';
import { hashSecret } from '../../kit/random-id.ts';
import type { MembersDeps } from './deps.ts';
import type { Device } from './device.ts';
import { countAttempt, forgetAttempts, takeBackAttempt } from './sign-in-attempt-store.ts';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How often something may be tried without success in a time, over all instances. */
export interface Limit {
  readonly of: readonly (string | number)[];
  readonly max: number;
  readonly windowMs: number;
  /** Whether strangers try under it, too: a success then says nothing of the failures before. */
  readonly isShared: boolean;
}

/** What is tried. Each has limits of its own: a right password must not forget wrong factors. */
type Tried = 'password' | 'factor';

export interface SigningIn {
  readonly email: string;
  /** Whose e-mail that is. */
  readonly memberId: number | undefined;
  /** As `networkOf` says. */
  readonly network: string;
  readonly device: Device | undefined;
}

/** Of somebody who signs in. */
export function limitsAtSignIn(tried: Tried, { email, memberId, network, device }: SigningIn): readonly Limit[] {
  // A browser in which the member has signed in before: no stranger's failures count there.
  if (device !== undefined && device.memberId === memberId)
    return [{ of: [tried, 'device', memberId, device.at], max: 10, windowMs: QUARTER_MS, isShared: false }];
  return [
    // Of all other browsers in one network, whatever the e-mail.
    { of: [tried, 'network', network], max: 50, windowMs: QUARTER_MS, isShared: true },
    // Of all other browsers, for one e-mail.
    { of: [tried, 'account', email], max: 20, windowMs: HOUR_MS, isShared: true },
  ];
}

/** Of somebody who is signed in. */
export function limitOfMember(tried: Tried, memberId: number): Limit {
  return { of: [tried, 'member', memberId], max: 10, windowMs: QUARTER_MS, isShared: false };
}

/**
 * Runs a check of a password or factor within limits. A link's token is no password: nobody finds 256 bits by trying.
 *
 * @param check undefined: what was shown is wrong
 * @throws ServiceError `too_many_request`
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

/** What is refused by one limit is no attempt by the others. */
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
