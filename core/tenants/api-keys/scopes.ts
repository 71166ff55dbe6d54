/**
 * Every scope of the service. A granted scope covers itself; one that ends with `:*` covers all that begin with its prefix.
 * Scopes of environments never cover those of the account, or the reverse.
 */
export const SCOPES = [
  'environment:*',
  'environment:integrations:*',
  'environment:integrations:list',
  'environment:integrations:read',
  'environment:integrations:read_credentials',
  'environment:integrations:create',
  'environment:integrations:update',
  'environment:integrations:delete',
  'environment:connections:*',
  'environment:connections:list',
  'environment:connections:read',
  'environment:connections:read_credentials',
  'environment:connections:create',
  'environment:connections:update',
  'environment:connections:delete',
  'environment:connect_sessions:write',
  'environment:proxy',
  'environment:proxy:override',
  'environment:scripts:*',
  'environment:scripts:list',
  'environment:scripts:read',
  'environment:scripts:write',
  'environment:logs:read',
  'environment:webhooks:read',
  'environment:webhooks:replay',
  'environment:variables:read',
  'account:*',
  'account:environments:list',
  'account:environments:create',
  'account:environments:delete',
  'account:environments:api_keys:list',
  'account:environments:api_keys:create',
  'account:environments:api_keys:delete',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes that a key of an environment may hold. */
export const ENVIRONMENT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope.startsWith('environment:'));

/** The scopes that a key of the account may hold. */
export const ACCOUNT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope.startsWith('account:'));

/** Returns whether the granted scopes include `required`, by themselves or by a scope that ends with `:*`. */
export function grants(granted: readonly string[], required: Scope): boolean {
  return granted.some((scope) => scope === required || (scope.endsWith(':*') && required.startsWith(scope.slice(0, -1))));
}
