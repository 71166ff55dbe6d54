import type { EndUser } from '../connection.ts';
import type { ConnectSession } from './session.ts';

/** Settings of the Connect UI, the same for every session. */
const UI_SETTINGS = {
  showWatermark: false,
  defaultTheme: 'system',
  theme: { light: { primary: '#00B2E3' }, dark: { primary: '#00B2E3' } },
} as const;

/** The end user who connects, if set by the backend. */
export interface Audience {
  readonly displayName: string | null;
  readonly email: string | null;
}

/**
 * Returns a session as a browser sees it. Of the presets it contains only the names, since browsers must not learn the values.
 *
 * @param exists tells whether there is an integration with a key; the keys of integrations that were deleted or renamed meanwhile
 *   are left out
 */
export function sessionRecord(session: ConnectSession, exists: (uniqueKey: string) => boolean): Record<string, unknown> {
  const defaults = Object.entries(session.defaults).filter(([key]) => exists(key));
  const overrides = Object.entries(session.overrides).filter(([key]) => exists(key));
  return {
    endUser: endUserOf(session),
    connectUISettings: UI_SETTINGS,
    ...(session.allowedIntegrations !== null && { allowed_integrations: session.allowedIntegrations.filter(exists) }),
    ...(defaults.length > 0 && {
      integrations_config_defaults: Object.fromEntries(defaults.map(([key]) => [key, presetNames(session, key)])),
    }),
    ...(session.reconnectId !== null && { isReconnecting: true }),
    ...(overrides.length > 0 && {
      overrides: Object.fromEntries(
        overrides.map(([key, { docsConnect }]) => [key, { ...(docsConnect !== undefined && { docs_connect: docsConnect }) }]),
      ),
    }),
    expires_at: session.expiresAt.toISOString(),
  };
}

function presetNames({ defaults, authorizationPresets }: ConnectSession, key: string) {
  const params = Object.keys(authorizationPresets[key]?.authorizationParams ?? {});
  return { connection_config: Object.keys(defaults[key] ?? {}), ...(params.length > 0 && { authorization_params: params }) };
}

/** Returns the end user to show on pages; what the backend did not set in `end_user` is taken from the tags. */
function endUserOf({ endUser, tags }: ConnectSession): EndUser | null {
  if (endUser === null) return endUserOfTags(tags);
  const { displayName, email } = audienceOf({ endUser, tags });
  return { ...endUser, display_name: displayName, email };
}

/** Returns the name and e-mail address of the end user that a session is for. */
export function audienceOf({ endUser, tags }: Pick<ConnectSession, 'endUser' | 'tags'>): Audience {
  return {
    displayName: endUser?.display_name ?? tags['end_user_display_name'] ?? null,
    email: endUser?.email ?? tags['end_user_email'] ?? null,
  };
}

function endUserOfTags(tags: ConnectSession['tags']): EndUser | null {
  const { displayName, email } = audienceOf({ endUser: null, tags });
  const { organization_id: organizationId } = tags;
  const id = tags['end_user_id'] ?? email ?? displayName;
  if (id === null) return null;
  const organization = organizationId === undefined ? null : { id: organizationId, display_name: organizationName(tags) };
  return { id, email, display_name: displayName, tags: {}, organization };
}

function organizationName(tags: ConnectSession['tags']): string | null {
  return tags['organization_display_name'] ?? null;
}
