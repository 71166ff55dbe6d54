import type { Knex } from 'knex';
import type * as z from 'zod';
import { ServiceError } from '../../../errors.ts';
import type { MemberCaller } from '../caller.ts';
import type { MemberStoreDeps } from '../deps.ts';
import { deleteAwaitingSessions, deleteSessionsOf, hasMemberSession } from '../member-session-store.ts';
import { updateMember } from '../member-store.ts';
import { findChallenge, setChallenge } from './challenge.ts';
import type { FactorDeps } from './deps.ts';
import { deleteFactors, factorsOf, insertFactor, lockFactors, type NewFactor } from './factor-store.ts';
import { type registration, registrationOptions, verifyRegistration } from './passkeys.ts';
import { hashedCodes, newRecoveryCodes } from './recovery-codes.ts';
import { passkeysOf } from './show-factor.ts';
import { newTotpSecret, qrRows, stepOfCode, totpUri } from './totp.ts';

const MAX_PASSKEYS = 20;

/** A factor that the member has proved, but that is not stored yet. */
type Proved = Pick<NewFactor, 'kind' | 'name' | 'secret' | 'counter'>;

/**
 * Creates a secret for an authenticator app, which becomes a factor when its first code is proved.
 *
 * @throws ServiceError `conflict` for a member without a password, or with an authenticator app
 */
export async function beginTotp(deps: FactorDeps, member: MemberCaller) {
  requirePassword(member);
  const factors = await factorsOf(deps.db, member.memberId);
  if (factors.some(({ kind }) => kind === 'totp')) throw hasApp();
  const secret = newTotpSecret();
  await setChallenge(deps, member, { of: 'totp', value: secret });
  const uri = totpUri(secret, member.email);
  return { secret, uri, qr: qrRows(uri) };
}

/**
 * @returns undefined when the code is wrong; the secret then stays for another try
 * @throws ServiceError `conflict` if the secret has expired or was replaced
 */
export async function proveTotp(deps: FactorDeps, member: MemberCaller, code: string): Promise<Proved | undefined> {
  const found = await findChallenge(deps, member, 'totp');
  if (found === undefined) throw beginAnew();
  const step = stepOfCode(found.value, code.replace(/\s/g, ''), deps.clock.now());
  if (step === undefined) return undefined;
  if (!(await found.consume(deps.db))) throw beginAnew();
  return { kind: 'totp', name: 'Authenticator app', secret: found.value, counter: step };
}

/**
 * Returns the options from which the browser creates a passkey.
 *
 * @throws ServiceError `conflict` for a member without a password or with too many passkeys, or if passkeys cannot be used at
 *   this base URL
 */
export async function beginPasskey(deps: FactorDeps, member: MemberCaller) {
  requirePassword(member);
  const known = passkeysOf(deps, await factorsOf(deps.db, member.memberId));
  if (known.length >= MAX_PASSKEYS) throw new ServiceError('conflict', `you already have ${MAX_PASSKEYS} passkeys: remove one`);
  const options = await registrationOptions({ baseUrl: deps.baseUrl, member, known });
  await setChallenge(deps, member, { of: 'registration', value: options.challenge });
  return options;
}

interface NewPasskey {
  readonly name: string;
  readonly passkey: z.output<typeof registration>;
}

/**
 * @throws ServiceError `conflict` when no passkey was requested or the request has expired, `invalid_body` when the passkey
 *   cannot be verified
 */
export async function provePasskey(deps: FactorDeps, member: MemberCaller, { name, passkey }: NewPasskey): Promise<Proved> {
  const found = await findChallenge(deps, member, 'registration');
  if (found === undefined || !(await found.consume(deps.db))) throw beginAnew();
  const { baseUrl } = deps;
  const made = await verifyRegistration(passkey, { baseUrl, challenge: found.value });
  if (made === undefined) throw new ServiceError('invalid_body', 'the passkey could not be verified: begin again');
  const { counter, ...stored } = made;
  return { kind: 'passkey', name, secret: JSON.stringify(stored), counter };
}

/**
 * Stores a factor. The first factor also creates recovery codes and ends all other sessions, since they were opened without it.
 *
 * @returns the new recovery codes; undefined when the member had a factor before
 * @throws ServiceError `conflict` for an authenticator app if the member has one by now, `signed_out` if the session has ended
 */
export async function storeFactor(
  trx: Knex.Transaction,
  deps: FactorDeps,
  member: MemberCaller,
  proved: Proved,
): Promise<readonly string[] | undefined> {
  const { memberId, sessionId } = member;
  const factors = await lockOwnFactors(trx, member);
  if (proved.kind === 'totp' && factors.some(({ kind }) => kind === 'totp')) throw hasApp();
  await insertFactor(trx, deps.keys, { ...proved, memberId, now: deps.clock.now() });
  if (factors.length > 0) return undefined;
  await setHasFactor(trx, deps, { memberId, hasFactor: true });
  await deleteSessionsOf(trx, memberId, sessionId);
  return storeCodes(trx, deps, memberId);
}

/**
 * Replaces the recovery codes with ten new ones; the previous ones become invalid.
 *
 * @throws ServiceError `conflict` for a member without a second factor
 */
export async function renewRecoveryCodes(
  trx: Knex.Transaction,
  deps: FactorDeps,
  member: MemberCaller,
): Promise<readonly string[]> {
  const { memberId } = member;
  if ((await lockOwnFactors(trx, member)).length === 0) throw new ServiceError('conflict', 'set up a second factor first');
  await deleteFactors(trx, { member_id: memberId, kind: 'recovery' });
  return storeCodes(trx, deps, memberId);
}

async function storeCodes(trx: Knex.Transaction, { keys, clock }: FactorDeps, memberId: number): Promise<readonly string[]> {
  const codes = newRecoveryCodes();
  const secret = hashedCodes(codes);
  await insertFactor(trx, keys, { memberId, kind: 'recovery', name: 'Recovery codes', secret, now: clock.now() });
  return codes;
}

/**
 * Removes a factor. Removing the last one also removes the recovery codes.
 *
 * @throws ServiceError `not_found` if the member has no such factor
 */
export async function removeFactor(
  trx: Knex.Transaction,
  deps: MemberStoreDeps,
  member: MemberCaller,
  id: number,
): Promise<Pick<NewFactor, 'kind' | 'name'>> {
  const { memberId } = member;
  const factors = await lockOwnFactors(trx, member);
  const gone = factors.find((one) => one.id === id && one.kind !== 'recovery');
  if (gone === undefined) throw new ServiceError('not_found', 'there is no such factor');
  if (factors.some((one) => one.kind !== 'recovery' && one.id !== id)) {
    await deleteFactors(trx, { member_id: memberId, id });
    return gone;
  }
  await forgetFactors(trx, deps, memberId);
  await deleteAwaitingSessions(trx, memberId);
  return gone;
}

/** Removes all factors of a member and ends their sessions; a member who must have a factor then enrols a new one. */
export async function resetFactors(trx: Knex.Transaction, deps: MemberStoreDeps, memberId: number): Promise<void> {
  await lockFactors(trx, memberId);
  await forgetFactors(trx, deps, memberId);
  await deleteSessionsOf(trx, memberId);
}

/**
 * @throws ServiceError `signed_out` when the session has ended since the request began, for example because another session has
 *   enrolled the first factor
 */
async function lockOwnFactors(trx: Knex.Transaction, { memberId, sessionId }: MemberCaller) {
  const factors = await lockFactors(trx, memberId);
  if (!(await hasMemberSession(trx, sessionId))) throw new ServiceError('signed_out', 'your session has ended: sign in again');
  return factors;
}

async function forgetFactors(trx: Knex.Transaction, deps: MemberStoreDeps, memberId: number): Promise<void> {
  await deleteFactors(trx, { member_id: memberId });
  await setHasFactor(trx, deps, { memberId, hasFactor: false });
}

async function setHasFactor(
  trx: Knex.Transaction,
  deps: MemberStoreDeps,
  { memberId, hasFactor }: { readonly memberId: number; readonly hasFactor: boolean },
): Promise<void> {
  if (await updateMember({ ...deps, db: trx }, { id: memberId }, { has_factor: hasFactor })) return;
  throw new ServiceError('signed_out', 'this member has been removed');
}

function requirePassword({ hasPassword }: MemberCaller): void {
  if (hasPassword) return;
  throw new ServiceError('conflict', 'you sign in through an identity provider: set up a second factor there');
}

function hasApp(): ServiceError {
  return new ServiceError('conflict', 'you already have an authenticator app: remove it first');
}

function beginAnew(): ServiceError {
  return new ServiceError('conflict', 'this attempt has expired or was replaced by another: begin again');
}
