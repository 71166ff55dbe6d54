import type { Knex } from 'knex';
import * as z from 'zod';
import type { Clock } from '../../../kit/clock.ts';
import type { KeyRing, Place } from '../../../kit/key-ring.ts';
import { consumeChallenge, readChallenge, writeChallenge } from '../member-session-store.ts';

const CHALLENGE_MS = 10 * 60_000;

const challenge = z.strictObject({
  /** The purpose: enrolling an authenticator app, registering a passkey, or signing with an enrolled passkey. */
  of: z.enum(['totp', 'registration', 'authentication']),
  /** The new secret of an app, or the challenge that the passkey has to sign. */
  value: z.string(),
  until: z.coerce.date(),
});
type Challenge = z.output<typeof challenge>;

export interface ChallengeDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly keys: KeyRing;
}

interface SessionMember {
  readonly sessionId: number;
  readonly memberId: number;
}

export function challengePlace({ sessionId, memberId }: SessionMember): Place {
  return {
    ...{ table: 'member_sessions', column: 'challenge', environmentId: 0 },
    ...{ rowId: sessionId, boundTo: `member ${memberId}` },
  };
}

/**
 * Sets the challenge that the session's next code or passkey must fit. It replaces an earlier one and is valid for ten minutes.
 */
export async function setChallenge(
  { db, clock, keys }: ChallengeDeps,
  holder: SessionMember,
  { of, value }: Omit<Challenge, 'until'>,
): Promise<void> {
  const text = JSON.stringify({ of, value, until: new Date(clock.now().getTime() + CHALLENGE_MS) });
  await writeChallenge(db, holder.sessionId, keys.encrypt(text, challengePlace(holder)));
}

interface FoundChallenge {
  readonly value: string;
  /** Deletes the challenge. Returns whether it was still there, so that no two requests use the same one. */
  consume(db: Knex): Promise<boolean>;
}

/** @returns undefined when the session has no challenge of this kind, or the challenge is too old */
export async function findChallenge(
  { db, clock, keys }: ChallengeDeps,
  holder: SessionMember,
  of: Challenge['of'],
): Promise<FoundChallenge | undefined> {
  const sealed = await readChallenge(db, holder.sessionId);
  if (sealed === null) return undefined;
  const found = challenge.parse(JSON.parse(keys.decrypt(sealed, challengePlace(holder))));
  if (found.of !== of || found.until <= clock.now()) return undefined;
  return { value: found.value, consume: (here) => consumeChallenge(here, holder.sessionId, sealed) };
}
