import type { Role } from '../permissions.ts';

/** The settings that decide who needs a second factor. */
export interface FactorRules {
  /** `SVC_REQUIRE_MFA` */
  readonly requiresFactor: 'off' | 'admins' | 'all';
  /** True if people may sign in by password. */
  readonly takesPasswords: boolean;
}

interface MemberStanding {
  readonly role: Role;
  readonly hasPassword: boolean;
  readonly hasFactor: boolean;
}

/**
 * Returns whether a member must enrol a factor before anything else. Members who sign in by OpenID Connect alone have theirs at
 * the identity provider.
 */
export function mustEnrol(
  { requiresFactor, takesPasswords }: FactorRules,
  { role, hasPassword, hasFactor }: MemberStanding,
): boolean {
  if (hasFactor || !hasPassword || !takesPasswords) return false;
  return requiresFactor === 'all' || (requiresFactor === 'admins' && role === 'admin');
}
