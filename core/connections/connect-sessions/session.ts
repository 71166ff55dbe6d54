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
  /** Which of the three fields above replace those of the connection when it is reauthorized. */
  readonly replaces: readonly Replaceable[];
  /** Integration keys; null: every integration of the environment. */
  readonly allowedIntegrations: readonly string[] | null;
  /** Connection configuration fixed by the backend, by integration key. */
  readonly defaults: Readonly<Record<string, JsonObject>>;
  /**
   * What the backend adds to the authorization request (parameters, scopes, an app), and which account or site it chooses for the
   * user, by integration key.
   */
  readonly authorizationPresets: Readonly<Record<string, AuthorizationPreset>>;
  /** The backend's changes to what the pages show, by integration key. */
  readonly overrides: Readonly<Record<string, UiOverride>>;
  /** Row ID of the connection to authorize again; null for a new one. */
  readonly reconnectId: number | null;
  /** True if the connection `reconnectId` may be reauthorized with another account at the provider. */
  readonly allowAccountChange: boolean;
  /** The ID of the new connection; null: an ID is generated. Only requests with the deprecated public key set one. */
  readonly connectionId: string | null;
  /** The address to which a connect link leads in the end. The environment's settings allowed it when the session was created. */
  readonly returnUrl: string | null;
  readonly expiresAt: Date;
}

export const REPLACEABLE = ['tags', 'endUser', 'webhookUrlOverride'] as const;
type Replaceable = (typeof REPLACEABLE)[number];

export interface AuthorizationPreset {
  readonly authorizationParams?: Readonly<Record<string, string>>;
  /** Comma-separated, as on the wire. */
  readonly userScopes?: string;
  /** The ID of the account, site or workspace to choose where the provider lists several. */
  readonly choice?: string;
  /** The client to use in place of the integration's app. */
  readonly ownApp?: { readonly clientId?: string; readonly clientSecret?: string };
}

export interface UiOverride {
  /** The URL of the guide for end users, in place of the provider's guide. */
  readonly docsConnect?: string;
}

/** The values of the session fields that its backend does not set. */
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

/** Returns the fields of the connection, apart from its credentials, that change when the session reauthorizes it. */
export function changeBySession(session: ConnectSession): ConnectionChange {
  return Object.fromEntries(session.replaces.map((member) => [member, session[member]]));
}
