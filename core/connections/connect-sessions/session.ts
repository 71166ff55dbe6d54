import type { JsonObject } from '#contract';
import type { EndUser, Tags } from '../connection.ts';
import type { ConnectionChange } from '../connection-change-store.ts';

/** A backend's short-lived permission for one end user to connect. The token itself is kept only as a hash. */
export interface ConnectSession {
  readonly id: number;
  readonly environmentId: number;
  readonly tags: Tags;
  readonly endUser: EndUser | null;
  readonly webhookUrlOverride: string | null;
  /** Which of the three members above replace the connection's own when it is reauthorized. */
  readonly replaces: readonly Replaceable[];
  /** Integration keys; null: every integration of the environment. */
  readonly allowedIntegrations: readonly string[] | null;
  /** Connection configuration fixed by the backend, by integration key. */
  readonly defaults: Readonly<Record<string, JsonObject>>;
  /** The backend's additions to the authorization request, and the choices it makes for the user, by integration key. */
  readonly authorizationPresets: Readonly<Record<string, AuthorizationPreset>>;
  /** The backend's changes to what the pages show, by integration key. */
  readonly overrides: Readonly<Record<string, UiOverride>>;
  /** Row ID of the connection to authorize again; null for a new one. */
  readonly reconnectId: number | null;
  /** True if the connection `reconnectId` may get another account at the provider. */
  readonly allowAccountChange: boolean;
  /** The ID of the new connection; null: an ID is generated. Only the deprecated public key chooses one. */
  readonly connectionId: string | null;
  /** The address that a connect link leads to at its end; it was allowed when the session was created. */
  readonly returnUrl: string | null;
  readonly expiresAt: Date;
}

export const REPLACEABLE = ['tags', 'endUser', 'webhookUrlOverride'] as const;
type Replaceable = (typeof REPLACEABLE)[number];

export interface AuthorizationPreset {
  readonly authorizationParams?: Readonly<Record<string, string>>;
  /** Comma-separated, as on the wire. */
  readonly userScopes?: string;
  /** The ID of the account, site or workspace that is chosen where the provider lists several. */
  readonly choice?: string;
  /** The client to use in place of the integration's app. */
  readonly ownApp?: { readonly clientId?: string; readonly clientSecret?: string };
}

export interface UiOverride {
  /** The guide for end users, in place of the provider's. */
  readonly docsConnect?: string;
}

/** The values of a session's members that its backend does not set. */
export const SESSION_DEFAULTS = {
  tags: {},
  endUser: null,
  webhookUrlOverride: null,
  replaces: [],
  allowedIntegrations: null,
  defaults: {},
  authorizationPresets: {},
  overrides: {},
  reconnectId: null,
  allowAccountChange: false,
  connectionId: null,
  returnUrl: null,
} as const satisfies Partial<ConnectSession>;

export function allows(session: Pick<ConnectSession, 'allowedIntegrations'>, uniqueKey: string): boolean {
  return session.allowedIntegrations === null || session.allowedIntegrations.includes(uniqueKey);
}

/** Returns what changes of the connection that the session authorizes again, besides its credentials. */
export function changeBySession(session: ConnectSession): ConnectionChange {
  return Object.fromEntries(session.replaces.map((member) => [member, session[member]]));
}
