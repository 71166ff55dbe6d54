import type { JsonObject } from '#contract';
import type { DecidingSettings } from '../connections/integrations/deciding.ts';
import { hostFields } from '../connections/integrations/host-settings.ts';
import { providersByKey } from '../connections/integrations/integration-store.ts';
import { ServiceError } from '../errors.ts';
import type { Caller } from '../server/access/caller.ts';
import { grants, type Scope } from '../tenants/api-keys/scopes.ts';
import type { ActingMember } from '../tenants/members/caller.ts';
import { type GuardedSetting, PERMISSIONS, requirePermission, SETTING_PERMISSIONS } from '../tenants/members/permissions.ts';
import type { ApiServices } from './services.ts';

const REDIRECTING: readonly Scope[] = ['environment:integrations:read_credentials', 'environment:proxy:override'];

/**
 * Checks that the caller may decide where the credentials of connections are sent. An API key needs a scope with which it could
 * read or divert the credentials anyway, if there are connections, or if applications may still send users to the unique key
 * because another integration had it before. Members always need the permission in `SETTING_PERMISSIONS`.
 *
 * @throws ServiceError `forbidden` if the scope or the permission is missing, `password_needed` if a member has to confirm who
 *   they are first
 */
export function requireDeciding(caller: Caller, { hosts, isUsedKey, hasOwnApp, hasConnections }: DecidingSettings): void {
  const what = isUsedKey
    ? 'take an integration ID that another integration had'
    : `change where the credentials of connections are sent (${hosts.join(', ')})`;
  if ('member' in caller) {
    if (hosts.length > 0) requireSetting(caller, 'hosts', what);
    if (isUsedKey) requireSetting(caller, 'used_key', what);
    if (hasOwnApp) requireSetting(caller, 'oauth_app');
    return;
  }
  if (!isUsedKey && (hosts.length === 0 || !hasConnections)) return;
  if (caller.kind === 'environment' && REDIRECTING.some((scope) => grants(caller.scopes, scope))) return;
  throw new ServiceError('forbidden', `only an API key that also has the scope ${REDIRECTING.join(' or ')} can ${what}`);
}

/**
 * Checks that the caller may set these settings. Members need the permission in `SETTING_PERMISSIONS` for each setting that is
 * present.
 *
 * @throws ServiceError as `requireSetting`
 */
export function requireSettings(caller: Caller, given: Partial<Record<GuardedSetting, unknown>>): void {
  if (!('member' in caller)) return;
  for (const setting of Object.keys(SETTING_PERMISSIONS) as GuardedSetting[]) {
    if (given[setting] !== undefined) requireSetting(caller, setting);
  }
}

/**
 * Checks that a member may set these configurations of connections, in which hosts decide where users' credentials are sent. API
 * keys are not checked, since the application decides which site belongs to which user.
 *
 * @param configs the configurations, by the keys of their integrations
 */
export async function requireHosts(
  { db, catalogue }: Pick<ApiServices, 'db' | 'catalogue'>,
  caller: Caller,
  configs: Readonly<Record<string, JsonObject | undefined>>,
): Promise<void> {
  if (!('member' in caller)) return;
  const providers = await providersByKey(db, caller.environmentId, Object.keys(configs));
  const hosts = Object.entries(configs).flatMap(([key, config = {}]) => {
    const provider = catalogue.find(providers.get(key) ?? '');
    return provider === undefined ? [] : hostFields(provider.definition, config);
  });
  if (hosts.length > 0) requireSetting(caller, 'hosts', `choose where credentials are sent (${hosts.join(', ')})`);
}

/**
 * Checks that a member may change a setting.
 *
 * @throws ServiceError `forbidden` if the member's role may not, `password_needed` if the member has to confirm who they are
 *   first
 */
function requireSetting({ member, isProduction }: ActingMember, setting: GuardedSetting, doing?: string): void {
  const permission = PERMISSIONS[SETTING_PERMISSIONS[setting]];
  requirePermission(member, permission, { isProduction, doing: doing ?? `change this (${setting})` });
}
