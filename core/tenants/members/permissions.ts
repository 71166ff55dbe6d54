import { ServiceError } from '../../errors.ts';
import type { Scope } from '../api-keys/scopes.ts';

/** The roles in ascending order: a viewer reads, a developer changes, an admin decides about people and production secrets. */
export const ROLES = ['viewer', 'developer', 'admin'] as const;

/** The stages of signing in: the second factor is outstanding, a factor must be enrolled first, or the sign-in is complete. */
const STAGES = ['factor', 'enrolment', 'in'] as const;
export type SignInStage = (typeof STAGES)[number];

/** A member who is signed in. */
interface Person {
  readonly role: Role;
  /** The end of the last confirmation's validity; null when there is no valid one. */
  readonly confirmedUntil: Date | null;
}

/** The requirements for a member of the dashboard to do something. */
export interface Permission {
  /** The lowest role that is allowed. */
  readonly role: Role;
  /** The lowest role in a production environment. Default: `role`. */
  readonly inProduction?: Role;
  /** Where the member must have confirmed their identity within the last ten minutes (`requireConfirmed`). Default: nowhere. */
  readonly confirmed?: 'always' | 'in production';
  /** The earliest stage of signing in at which this is allowed. Default: `in`. */
  readonly from?: SignInStage;
}

/** All permissions of the dashboard. In production only admins may do what reveals secrets, directly or indirectly. */
export const PERMISSIONS = {
  /** Completes a sign-in, or abandons it. */
  enter: { role: 'viewer', from: 'factor' },
  /** Reads what all members may see about themselves. */
  self: { role: 'viewer', from: 'enrolment' },
  /** Begins to enrol a second factor, which must then be finished within ten minutes. */
  enrol: { role: 'viewer', from: 'enrolment', confirmed: 'always' },
  read: { role: 'viewer' },
  /** Changes how the member signs in. */
  secure: { role: 'viewer', confirmed: 'always' },
  change: { role: 'developer' },
  /** Decides where data or authorizations are sent. */
  address: { role: 'developer', confirmed: 'in production' },
  /** Hands out access to the environment (API keys), but reveals no secret in it. */
  issue: { role: 'developer', inProduction: 'admin' },
  /** Decides where credentials are sent, or uses them in ways that can reveal them. */
  divert: { role: 'developer', inProduction: 'admin', confirmed: 'in production' },
  reveal: { role: 'developer', inProduction: 'admin', confirmed: 'always' },
  administer: { role: 'admin' },
  /** Decides who is an admin of the account, or gives others power over the account as a whole. */
  govern: { role: 'admin', confirmed: 'always' },
} as const satisfies Readonly<Record<string, Permission>>;

type PermissionName = keyof typeof PERMISSIONS;

/** A scope for a single thing in an environment; scopes that end with `:*` cover several. */
export type EnvironmentScope = Exclude<Extract<Scope, `environment:${string}`>, `${string}:*`>;

/** The permission that a member needs in the dashboard for what each scope lets an API key do. */
const SCOPE_PERMISSIONS: Readonly<Record<EnvironmentScope, PermissionName>> = {
  'environment:integrations:list': 'read',
  'environment:integrations:read': 'read',
  'environment:integrations:read_credentials': 'reveal',
  'environment:integrations:create': 'change',
  'environment:integrations:update': 'change',
  'environment:integrations:delete': 'change',
  'environment:connections:list': 'read',
  'environment:connections:read': 'read',
  'environment:connections:read_credentials': 'reveal',
  'environment:connections:create': 'change',
  'environment:connections:update': 'change',
  'environment:connections:delete': 'change',
  'environment:connect_sessions:write': 'change',
  'environment:proxy': 'divert',
  'environment:proxy:override': 'divert',
  'environment:scripts:list': 'read',
  'environment:scripts:read': 'read',
  'environment:scripts:write': 'divert',
  'environment:logs:read': 'read',
  'environment:webhooks:read': 'read',
  'environment:webhooks:replay': 'change',
  'environment:variables:read': 'reveal',
};

/**
 * The permission that a route requires of members. For a route that API keys can also call, the scope that they need names it.
 */
export type Permitted = PermissionName | EnvironmentScope;

/**
 * The settings that decide where credentials, authorizations and data are sent, with the permission to set them, both on creation
 * and later.
 */
export const SETTING_PERMISSIONS = {
  /**
   * For an integration: hosts, addresses, and other settings that its definition inserts into calls. For a connection: hosts and
   * addresses.
   */
  hosts: 'divert',
  /** For an integration: a unique key that another integration had before. */
  used_key: 'divert',
  /** For an integration: the OAuth client that users authorize. */
  oauth_app: 'address',
  callback_url: 'divert',
  webhook_url: 'address',
  webhook_url_secondary: 'address',
  /** A setting of a connection. */
  webhook_url_override: 'address',
  variables: 'address',
  allowed_origins: 'address',
  return_urls: 'address',
} as const satisfies Readonly<Record<string, PermissionName>>;

export type GuardedSetting = keyof typeof SETTING_PERMISSIONS;

export function permissionOf(permitted: Permitted): Permission {
  return PERMISSIONS[isScope(permitted) ? SCOPE_PERMISSIONS[permitted] : permitted];
}

export function isPermitted(name: string): name is Permitted {
  return Object.hasOwn(PERMISSIONS, name) || Object.hasOwn(SCOPE_PERMISSIONS, name);
}

/**
 * Returns whether an API key with the scope can do something for which a member needs a confirmation: reveal secrets, or decide
 * where they are sent.
 */
export function isRevealing(scope: string): boolean {
  if (scope.endsWith(':*')) return true;
  return isScope(scope) && permissionOf(scope).confirmed !== undefined;
}

interface ResourceEnvironment {
  /** True if the resource is in a production environment. */
  readonly isProduction: boolean;
}

/** Returns the API key scopes that a member has at an endpoint for API keys. Scopes that reveal secrets are never among them. */
export function scopesOf({ role }: Pick<Person, 'role'>, { isProduction }: ResourceEnvironment): readonly EnvironmentScope[] {
  return (Object.keys(SCOPE_PERMISSIONS) as EnvironmentScope[]).filter((scope) => {
    const permission = permissionOf(scope);
    return permission.confirmed !== 'always' && includesRole(role, roleFor(permission, { isProduction }));
  });
}

/**
 * @param doing completes "your role may not …"
 * @throws ServiceError `forbidden` if the person's role is too low; otherwise `password_needed` if a required confirmation is
 *   missing
 */
export function requirePermission(
  person: Person,
  permission: Permission,
  { isProduction, doing = 'do this' }: ResourceEnvironment & { readonly doing?: string },
): void {
  requireRole(person, roleFor(permission, { isProduction }), doing);
  const { confirmed } = permission;
  if (confirmed === 'always' || (confirmed === 'in production' && isProduction)) requireConfirmed(person);
}

/** @throws ServiceError `signed_out` while the second factor is outstanding, `factor_needed` while one must be enrolled first */
export function requireStage({ stage }: { readonly stage: SignInStage }, { from = 'in' }: Permission): void {
  if (STAGES.indexOf(stage) >= STAGES.indexOf(from)) return;
  if (stage === 'factor') throw new ServiceError('signed_out', 'complete the sign-in with your second factor');
  throw new ServiceError('factor_needed', 'a second factor is required: set one up first');
}

/** @throws ServiceError `forbidden` if the role is lower than the needed one */
export function requireRole({ role }: Pick<Person, 'role'>, needed: Role, doing = 'do this'): void {
  if (!includesRole(role, needed)) throw new ServiceError('forbidden', `your role (${role}) may not ${doing}; ask an admin`);
}

/**
 * Requires a confirmation within the last ten minutes: by the second factor, or by the password if the member has no factor.
 * Members with neither confirm by signing in again at the identity provider.
 *
 * @throws ServiceError `password_needed` without such a confirmation
 */
function requireConfirmed({ confirmedUntil }: Pick<Person, 'confirmedUntil'>): void {
  if (confirmedUntil === null)
    throw new ServiceError('password_needed', 'confirm that it is you: enter your password again, or use your second factor');
}

function roleFor({ role, inProduction = role }: Permission, { isProduction }: ResourceEnvironment): Role {
  return isProduction ? inProduction : role;
}

function isScope(name: string): name is EnvironmentScope {
  return Object.hasOwn(SCOPE_PERMISSIONS, name);
}

export type Role = (typeof ROLES)[number];

/** Returns whether somebody with the role `held` may do what requires at least the role `needed`. */
export function includesRole(held: Role, needed: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(needed);
}
