import type { Knex } from 'knex';
import type { KeyRing } from '../../../kit/key-ring.ts';
import type { MemberFactorRow } from '../member-rows.ts';
import { findChallenge, setChallenge } from './challenge.ts';
import type { FactorDeps } from './deps.ts';
import { factorPlace, factorsOf, lockFactors, updateFactor } from './factor-store.ts';
import { type Assertion, authenticationOptions, readPasskey, verifyAssertion } from './passkeys.ts';
import { withoutCode } from './recovery-codes.ts';
import { isTotpCode, stepOfCode } from './totp.ts';

/**
 * The proof of a factor that somebody shows: a code of an authenticator app, a recovery code, or an assertion signed by a
 * passkey.
 */
export type FactorProof = { readonly code: string } | { readonly passkey: Assertion };

interface SessionMember {
  readonly memberId: number;
  readonly sessionId: number;
}

export interface ShownFactor {
  readonly kind: MemberFactorRow['kind'];
  /** The number of remaining recovery codes; absent unless one was used. */
  readonly left?: number;
}

/**
 * Checks a factor and makes sure that the same proof cannot be used a second time: codes of an app are refused up to the last
 * used time step; recovery codes and passkey challenges are deleted.
 *
 * @returns undefined when the proof is wrong or used, or its factor has been removed
 */
export async function showFactor(deps: LockingDeps, holder: SessionMember, shown: FactorProof): Promise<ShownFactor | undefined> {
  const here = { ...deps, factors: await lockFactors(deps.db, holder.memberId) };
  if ('passkey' in shown) {
    // Consumed whatever the result: nobody can try two signatures on one challenge.
    const challenge = await takeChallenge(deps, holder);
    return challenge === undefined ? undefined : usePasskey(here, shown.passkey, challenge);
  }
  const code = shown.code.replace(/\s/g, '');
  return isTotpCode(code) ? useTotp(here, code) : useRecoveryCode(here, code);
}

/**
 * Returns the options with which the browser asks the member's passkeys for a signature.
 *
 * @returns undefined when there are none
 */
export async function askForPasskey(deps: FactorDeps, holder: SessionMember) {
  const known = passkeysOf(deps, await factorsOf(deps.db, holder.memberId));
  if (known.length === 0) return undefined;
  const options = await authenticationOptions(deps.baseUrl, known);
  await setChallenge(deps, holder, { of: 'authentication', value: options.challenge });
  return options;
}

export function passkeysOf({ keys }: { readonly keys: KeyRing }, factors: readonly MemberFactorRow[]) {
  return factors.filter(({ kind }) => kind === 'passkey').map((row) => ({ row, ...readPasskey(openSecret({ keys }, row)) }));
}

export function openSecret({ keys }: { readonly keys: KeyRing }, { id, member_id: memberId, secret }: MemberFactorRow): string {
  return keys.decrypt(secret, factorPlace({ id, memberId }));
}

async function takeChallenge(deps: FactorDeps, holder: SessionMember): Promise<string | undefined> {
  const found = await findChallenge(deps, holder, 'authentication');
  return found !== undefined && (await found.consume(deps.db)) ? found.value : undefined;
}

interface LockingDeps extends FactorDeps {
  readonly db: Knex.Transaction;
}

interface FactorContext extends LockingDeps {
  readonly factors: readonly MemberFactorRow[];
}

async function useTotp({ db, factors, clock, keys }: FactorContext, code: string): Promise<ShownFactor | undefined> {
  const row = factors.find(({ kind }) => kind === 'totp');
  if (row === undefined) return undefined;
  const step = stepOfCode(openSecret({ keys }, row), code, clock.now());
  if (step === undefined || step <= row.counter) return undefined;
  await updateFactor(db, row.id, { counter: step, last_used_at: clock.now() });
  return { kind: 'totp' };
}

async function useRecoveryCode({ db, factors, clock, keys }: FactorContext, code: string): Promise<ShownFactor | undefined> {
  const row = factors.find(({ kind }) => kind === 'recovery');
  if (row === undefined) return undefined;
  const rest = withoutCode(openSecret({ keys }, row), code);
  if (rest === undefined) return undefined;
  const secret = keys.encrypt(rest.stored, factorPlace({ id: row.id, memberId: row.member_id }));
  await updateFactor(db, row.id, { secret, last_used_at: clock.now() });
  return { kind: 'recovery', left: rest.left };
}

async function usePasskey(here: FactorContext, assertion: Assertion, challenge: string): Promise<ShownFactor | undefined> {
  const found = passkeysOf(here, here.factors).find(({ id }) => id === assertion.id);
  if (found === undefined) return undefined;
  const { row, ...passkey } = found;
  const { baseUrl, db, clock } = here;
  const counter = await verifyAssertion(assertion, { ...passkey, counter: row.counter }, { baseUrl, challenge });
  if (counter === undefined) return undefined;
  await updateFactor(db, row.id, { counter, last_used_at: clock.now() });
  return { kind: 'passkey' };
}
