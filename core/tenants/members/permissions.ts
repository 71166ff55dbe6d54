import { ServiceError } from '../../errors.ts';
import type { Scope } from '../api-keys/scopes.ts';

/** From the one that may least: a viewer reads, a developer changes, an admin decides about people and production secrets. */
export const ROLES = ['viewer', 'developer', 'admin'] as const;

/** How far somebody has come in signing in: the second factor is outstanding, one has to be enrolled first, or neither. */
export const STAGES = ['factor', 'enrolment', 'in'] as const;
export type SignInStage = (typeof STAGES)[number];

/** Somebody who is signed in. */
interface Person {
  readonly role: Role;
  /** Until when a confirmation counts; null: there is none. */
  readonly confirmedUntil: Date | null;
}

/** What somebody needs who is signed in. */
export interface Permission {
  /** The lowest role that may. */
  readonly role: Role;
  /** The same in an environment for production, where it is another. */
  readonly inProduction?: Role;
  /** Where the person must have confirmed within the last ten minutes that it is them (`requireConfirmed`). */
  readonly confirmed?: 'always' | 'in production';
  /** From which stage of signing in. Default: `in`. */
  readonly from?: SignInStage;
}

/** All that the dashboard asks for. In production nobody but admins may do what shows secrets, also by a detour. */
export const PERMISSIONS = {
  /** Finishes a sign-in, or gives it up. */
  enter: { role: 'viewer', from: 'factor' },
  /** What everybody sees of themselves. */
  self: { role: 'viewer', from: 'enrolment' },
  /** Begins to enrol a second factor, which it takes ten minutes at most to finish. */
  enrol: { role: 'viewer', from: 'enrolment', confirmed: 'always' },
  read: { role: 'viewer' },
  /** Changes how the person signs in. */
  secure: { role: 'viewer', confirmed: 'always' },
  change: { role: 'developer' },
  /** Decides where data or authorizations go. */
  address: { role: 'developer', confirmed: 'in production' },
  /** Gives out what opens the environment, but no secret in it. */
  issue: { role: 'developer', inProduction: 'admin' },
  /** Decides where credentials go, or uses them in ways that can show them. */
  divert: { role: 'developer', inProduction: 'admin', confirmed: 'in production' },
  reveal: { role: 'developer', inProduction: 'admin', confirmed: 'always' },
  administer: { role: 'admin' },
  /** Gives power away: over the account, or over who is an admin of it. */
  govern: { role: 'admin', confirmed: 'always' },
} as const satisfies Readonly<Record<string, Permission>>;

export type PermissionName = keyof typeof PERMISSIONS;

/** One thing in an environment that API keys may be allowed; the scopes that end with `:*` are several. */
export type EnvironmentScope = Exclude<Extract<Scope, `environment:${string}`>, `${string}:*`>;

/** What somebody needs to do the same that an API key with this scope may do. */
export const SCOPE_PERMISSIONS: Readonly<Record<EnvironmentScope, PermissionName>> = {
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

/** What a route asks of somebody: by the scope that says the same of API keys, where there is one. */
export type Permitted = PermissionName | EnvironmentScope;

/** Settings that decide where credentials, authorizations and data go, and what it takes to set them: when something is made as later. */
export const SETTING_PERMISSIONS = {
  /** Of an integration: hosts, addresses, and whatever else its definition puts into calls. Of a connection: hosts and addresses. */
  hosts: 'divert',
  /** Of an integration: one under which another was there before. */
  used_key: 'divert',
  /** Of an integration: the client that users authorize. */
  oauth_app: 'address',
  callback_url: 'divert',
  webhook_url: 'address',
  webhook_url_secondary: 'address',
  /** Of a connection. */
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

/** Whether an API key with the scope can show what somebody must confirm for: secrets, or where they are sent. */
export function isRevealing(scope: string): boolean {
  if (scope.endsWith(':*')) return true;
  return isScope(scope) && permissionOf(scope).confirmed !== undefined;
}

interface ResourceEnvironment {
  /** Whether it is in an environment for production. */
  readonly isProduction: boolean;
}

/** The scopes of somebody where an endpoint is for API keys; no secret is revealed there. */
export function scopesOf({ role }: Pick<Person, 'role'>, { isProduction }: ResourceEnvironment): readonly EnvironmentScope[] {
  return (Object.keys(SCOPE_PERMISSIONS) as EnvironmentScope[]).filter((scope) => {
    const permission = permissionOf(scope);
    return permission.confirmed !== 'always' && includesRole(role, roleFor(permission, { isProduction }));
  });
}

/**
 * @param doing completes "can't …" @throws ServiceError `forbidden`; `password_needed` only to somebody who has the role
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

/** @throws ServiceError `signed_out`, `factor_needed` */
export function requireStage({ stage }: { readonly stage: SignInStage }, { from = 'in' }: Permission): void {
  if (STAGES.indexOf(stage) >= STAGES.indexOf(from)) return;
  if (stage === 'factor') throw new ServiceError('signed_out', 'finish signing in: show your second factor');
  throw new ServiceError('factor_needed', 'a second factor is required here: enrol one first');
}

/** @throws ServiceError `forbidden` */
export function requireRole({ role }: Pick<Person, 'role'>, needed: Role, doing = 'do this'): void {
  if (!includesRole(role, needed)) throw new ServiceError('forbidden', `your role (${role}) can't ${doing}; ask an admin`);
}

/**
 * The password must have been entered within the last ten minutes; of somebody who has a second factor that must have been shown.
 * Somebody with neither has just signed in anew at the identity provider instead.
 *
 * @throws ServiceError `password_needed`
 */
function requireConfirmed({ confirmedUntil }: Pick<Person, 'confirmedUntil'>): void {
  if (confirmedUntil === null)
    throw new ServiceError('password_needed', 'confirm that it is you: enter your password again, or show your second factor');
}

function roleFor({ role, inProduction = role }: Permission, { isProduction }: ResourceEnvironment): Role {
  return isProduction ? inProduction : role;
}

function isScope(name: string): name is EnvironmentScope {
  return Object.hasOwn(SCOPE_PERMISSIONS, name);
}

export type Role = (typeof ROLES)[number];

/** Whether somebody with the role `held` may do what `needed` is the lowest role for. */
export function includesRole(held: Role, needed: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(needed);
}
