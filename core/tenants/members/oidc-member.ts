import { withTransaction } from '../../db/transaction.ts';
import { isUnsafe } from '../../kit/unsafe-characters.ts';
import { firstAccountId } from '../environments/environment-store.ts';
import type { MembersDeps } from './deps.ts';
import { email as emailSchema } from './email.ts';
import type { MemberRow } from './member-rows.ts';
import { deleteSessionsOf } from './member-session-store.ts';
import { insertMember, isLastAdmin, lockMembers, memberByEmail, memberByOidc, updateMember } from './member-store.ts';
import type { OidcPerson, OidcSettings } from './oidc.ts';
import type { Role } from './permissions.ts';

/** The role of somebody who signs in by OpenID Connect for the first time. */
const FIRST_ROLE: Role = 'viewer';

export interface OidcMember {
  readonly memberId: number;
  /** The change that this sign-in made: the person joined as a member, or has another role. Undefined when it changed nothing. */
  readonly change: 'joined' | 'role' | undefined;
}

/**
 * Finds the member for a person at the identity provider, by issuer and subject, or by an e-mail that the provider has verified.
 * Otherwise creates one if the e-mail's domain is allowed or the person is in the group of admins. At each sign-in, that group
 * decides who is an admin.
 *
 * @returns undefined when this person may not sign in here
 */
export async function memberOfOidc(
  deps: MembersDeps,
  settings: OidcSettings,
  person: OidcPerson,
): Promise<OidcMember | undefined> {
  const email = verifiedEmail(person);
  if (!isFromAllowedDomain(settings, email)) return undefined;
  const oidc = { issuer: settings.issuer, subject: person.sub };
  const isAdmin = settings.adminGroup === undefined ? undefined : person.groups?.includes(settings.adminGroup) === true;
  return withTransaction(deps.db, async (trx) => {
    const here = { ...deps, db: trx };
    await lockMembers(trx);
    const namesake = email === undefined ? undefined : await memberByEmail(here, email);
    const known = (await memberByOidc(here, oidc)) ?? namesake;
    // An e-mail may be reassigned to somebody else: a member who has signed in by OpenID Connect is matched by the subject alone.
    if (known === namesake && known?.oidc_subject != null && known.oidc_subject !== oidc.subject) return undefined;
    if (known !== undefined) {
      const role = await roleOf(trx, known, isAdmin);
      const changes = { role, oidc_issuer: oidc.issuer, oidc_subject: oidc.subject };
      await updateMember(here, { id: known.id }, changes);
      if (role === known.role) return { memberId: known.id, change: undefined };
      // As when an admin changes the role: no session may continue with the earlier role.
      await deleteSessionsOf(trx, known.id);
      return { memberId: known.id, change: 'role' };
    }
    const accountId = await firstAccountId(trx);
    const mayCome = settings.allowedDomains.length > 0 || isAdmin === true;
    if (email === undefined || accountId === undefined || !mayCome) return undefined;
    const role = isAdmin === true ? 'admin' : FIRST_ROLE;
    const name = plainName(person) ?? email;
    const { id } = await insertMember(here, { accountId, name, email, role, oidc });
    return { memberId: id, change: 'joined' };
  });
}

/** @param isAdmin undefined when the provider does not decide it */
async function roleOf(trx: MembersDeps['db'], known: MemberRow, isAdmin: boolean | undefined): Promise<Role> {
  if (isAdmin === true) return 'admin';
  if (isAdmin === undefined || known.role !== 'admin') return known.role;
  // A misspelt group name must not leave an installation without an admin who could correct it.
  return (await isLastAdmin(trx, known)) ? 'admin' : 'developer';
}

/**
 * Returns the person's name unless it has unsafe characters. It is checked like an entered name, since it is shown among other
 * text, also in terminals.
 */
function plainName({ name = '' }: OidcPerson): string | undefined {
  const text = name.trim();
  return text === '' || isUnsafe(text) ? undefined : text;
}

/** Returns the e-mail if the provider has verified it: an unverified one could belong to anybody. */
function verifiedEmail({ email, email_verified: isVerified }: OidcPerson): string | undefined {
  const read = emailSchema.safeParse(email);
  return isVerified === true && read.success ? read.data : undefined;
}

function isFromAllowedDomain({ allowedDomains }: OidcSettings, email: string | undefined): boolean {
  if (allowedDomains.length === 0) return true;
  return email !== undefined && allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1));
}
