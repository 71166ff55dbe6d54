import { usesSharedApp } from '../../connections/integrations/effective-client.ts';
import type { AuthorizationTarget } from './target.ts';

/**
 * Security parameters, which only the auth mode sets: those of RFC 6749 §4.1.1 and RFC 7636 §4.3, and the request objects of RFC
 * 9101 §5, which would replace all of them.
 */
const RESERVED = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]);

/** Parameters that the backend cannot set for a shared app, whose scopes the operator decides. */
const SCOPES = new Set(['scope', 'user_scope']);

/** Returns the parameters that the backend adds to the authorization request. */
export function authorizationParams({
  session,
  integration,
  provider,
}: Pick<AuthorizationTarget, 'session' | 'integration' | 'provider'>): Readonly<Record<string, string>> {
  const { authorizationParams: params, userScopes } = session.authorizationPresets[integration.uniqueKey] ?? {};
  const isShared = usesSharedApp(integration, provider);
  const added = Object.entries({ ...params, ...(userScopes !== undefined && { user_scope: userScopes }) });
  return Object.fromEntries(added.filter(([name]) => !RESERVED.has(name) && !(isShared && SCOPES.has(name))));
}
