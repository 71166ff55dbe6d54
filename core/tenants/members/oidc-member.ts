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

/** Who signs in by OpenID Connect for the first time may look. */
const FIRST_ROLE: Role = 'viewer';

export interface OidcMember {
  readonly memberId: number;
  /** What this sign-in has made of the person. */
  readonly change: 'joined' | 'role' | undefined;
}

/**
 * The member that somebody at the identity provider is: known by issuer and subject, or by an e-mail that the provider has
 * verified; else a new one, where the e-mail's domain is allowed or the person is in the group of admins. That group decides who is
 * an admin each time.
 *
 * @returns undefined: this person may not sign in here
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
    // E-mails are given to somebody else one day; whoever has signed in here is known by the subject alone.
    if (known === namesake && known?.oidc_subject != null && known.oidc_subject !== oidc.subject) return undefined;
    if (known !== undefined) {
      const role = await roleOf(trx, known, isAdmin);
      const changes = { role, oidc_issuer: oidc.issuer, oidc_subject: oidc.subject };
      await updateMember(here, { id: known.id }, changes);
      if (role === known.role) return { memberId: known.id, change: undefined };
      // As where an admin changes it: nobody goes on in a session that was opened with another role.
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

/** @param isAdmin undefined: the provider does not decide it */
async function roleOf(trx: MembersDeps['db'], known: MemberRow, isAdmin: boolean | undefined): Promise<Role> {
  if (isAdmin === true) return 'admin';
  if (isAdmin === undefined || known.role !== 'admin') return known.role;
  // A group that is misspelt must not leave an installation without anybody who could mend that.
  return (await isLastAdmin(trx, known)) ? 'admin' : 'developer';
}

/** As with one that somebody enters: it stands among other text, also at a terminal. */
function plainName({ name = '' }: OidcPerson): string | undefined {
  const text = name.trim();
  return text === '' || isUnsafe(text) ? undefined : text;
}

/** One that is not verified could be anybody's. */
function verifiedEmail({ email, email_verified: isVerified }: OidcPerson): string | undefined {
  const read = emailSchema.safeParse(email);
  return isVerified === true && read.success ? read.data : undefined;
}

function isFromAllowedDomain({ allowedDomains }: OidcSettings, email: string | undefined): boolean {
  if (allowedDomains.length === 0) return true;
  return email !== undefined && allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1));
}
