import type { Knex } from 'knex';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { hashSecret, newSecret } from '../../kit/random-id.ts';
import type { EnvironmentsDeps } from '../environments/deps.ts';
import { type Environment, environmentByName, firstAccountId } from '../environments/environment-store.ts';
import { addEnvironment } from '../environments/environments.ts';
import type { MembersDeps } from './deps.ts';
import { consumeMemberLink, deleteMemberLinks, insertMemberLink, memberLinkByHash } from './member-link-store.ts';
import { deleteSessionsOf } from './member-session-store.ts';
import { hasAdmin, insertMember, lockMembers, memberByEmail, type NewMember, updateMember } from './member-store.ts';
import { checkNewPassword, hashPassword } from './password.ts';

const DAY_MS = 24 * 60 * 60_000;
const PRODUCTION = 'prod';

/** Returns whether the installation still waits for its first admin. */
export async function needsSetup({ db }: { readonly db: Knex }): Promise<boolean> {
  const accountId = await firstAccountId(db);
  return accountId !== undefined && !(await hasAdmin(db, accountId));
}

/**
 * @returns the token of a link to `/setup`, which works once, within a day
 * @throws ServiceError `conflict` if the account has an admin
 */
export async function makeSetupToken({ clock, ...deps }: MembersDeps, accountId: number): Promise<string> {
  if (await hasAdmin(deps.db, accountId)) throw alreadySetUp();
  const token = newSecret();
  await insertMemberLink(deps, {
    token_hash: hashSecret(token),
    kind: 'setup',
    account_id: accountId,
    member_id: null,
    email: null,
    role: null,
    expires_at: new Date(clock.now().getTime() + DAY_MS),
  });
  return token;
}

interface FirstAdmin {
  /** The token of the link. */
  readonly token: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

interface Claimed {
  readonly memberId: number;
  /** The new production environment; undefined when the account had an environment of this name already. */
  readonly production: Environment | undefined;
}

/**
 * Creates the first admin of the account that a setup link is for, and its environment `prod`. The environment gets no API key,
 * since nobody would receive and keep its secret.
 *
 * @param finish work that is committed together with this change
 * @returns the result of `finish`; undefined if the token is wrong, used or expired
 * @throws ServiceError `conflict` when the account has an admin by now, `invalid_body` for a bad password
 */
export async function claim<T>(
  deps: MembersDeps & EnvironmentsDeps,
  { token, password, ...admin }: FirstAdmin,
  finish: (trx: Knex.Transaction, claimed: Claimed) => Promise<T>,
): Promise<T | undefined> {
  checkNewPassword(password);
  const tokenHash = hashSecret(token);
  const link = await memberLinkByHash(deps, { tokenHash, now: deps.clock.now() });
  if (link?.kind !== 'setup') return undefined;
  const stored = await hashPassword(password);
  const { account_id: accountId } = link;
  return withTransaction(deps.db, async (trx) => {
    // If two people claim the account at the same time, only one succeeds.
    await lockMembers(trx);
    if (await hasAdmin(trx, accountId)) throw alreadySetUp();
    if (!(await consumeMemberLink(trx, tokenHash))) return undefined;
    await deleteMemberLinks(trx, { kind: 'setup', account_id: accountId });
    const { id: memberId } = await insertMember({ ...deps, db: trx }, { ...admin, accountId, role: 'admin', password: stored });
    const isThere = (await environmentByName(trx, accountId, PRODUCTION)) !== undefined;
    const wanted = { accountId, name: PRODUCTION, isProduction: true };
    const production = isThere ? undefined : await addEnvironment({ ...deps, db: trx }, wanted);
    return finish(trx, { memberId, production });
  });
}

/**
 * Creates the admin whom the operator's settings name, or promotes them if they are a member already. Does nothing when the
 * account has an admin.
 *
 * @param admin  with a password as `hashPassword` returns it
 * @param finish work that is committed together with this change
 */
export async function addFirstAdmin(
  deps: MembersDeps,
  admin: Omit<NewMember, 'role' | 'oidc'>,
  finish: (trx: Knex.Transaction, memberId: number) => Promise<void>,
): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    const here = { ...deps, db: trx };
    await lockMembers(trx);
    if (await hasAdmin(trx, admin.accountId)) return;
    const known = await memberByEmail(here, admin.email);
    if (known?.account_id !== admin.accountId) {
      const { id } = await insertMember(here, { ...admin, role: 'admin' });
      return finish(trx, id);
    }
    await updateMember(here, { id: known.id }, { role: 'admin', password: admin.password ?? null });
    await deleteSessionsOf(trx, known.id);
    await finish(trx, known.id);
  });
}

function alreadySetUp(): ServiceError {
  return new ServiceError('conflict', 'this instance has already been set up; sign in');
}
