import type { Role } from '../permissions.ts';

/** Who needs a second factor here. */
export interface FactorRules {
  /** `SVC_REQUIRE_MFA` */
  readonly requiresFactor: 'off' | 'admins' | 'all';
  /** Whether people may sign in by password. */
  readonly takesPasswords: boolean;
}

interface MemberStanding {
  readonly role: Role;
  readonly hasPassword: boolean;
  readonly hasFactor: boolean;
}

/** Whether somebody has to enrol a factor before anything else. Who signs in by OpenID Connect alone has it at the identity provider. */
export function mustEnrol(
  { requiresFactor, takesPasswords }: FactorRules,
  { role, hasPassword, hasFactor }: MemberStanding,
): boolean {
  if (hasFactor || !hasPassword || !takesPasswords) return false;
  return requiresFactor === 'all' || (requiresFactor === 'admins' && role === 'admin');
}
