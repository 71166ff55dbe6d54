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
  /** Which of those three replace the connection's own when it is reauthorized. */
  readonly replaces: readonly Replaceable[];
  /** Integration keys; null: every integration of the environment. */
  readonly allowedIntegrations: readonly string[] | null;
  /** Connection configuration fixed by the backend, by integration key. */
  readonly defaults: Readonly<Record<string, JsonObject>>;
  /** What the backend adds to the authorization request, and what it answers for the user, by integration key. */
  readonly authorizationPresets: Readonly<Record<string, AuthorizationPreset>>;
  /** What the pages show differently, by integration key. */
  readonly overrides: Readonly<Record<string, UiOverride>>;
  /** Row ID of the connection to authorize again; null: a new one. */
  readonly reconnectId: number | null;
  /** Whether `reconnectId` may get another account at the provider. */
  readonly allowAccountChange: boolean;
  /** The ID that a new connection gets; null: one is made. Only the deprecated public key chooses one. */
  readonly connectionId: string | null;
  /** Where a connect link leads at its end; it was allowed when the session was created. */
  readonly returnUrl: string | null;
  readonly expiresAt: Date;
}

export const REPLACEABLE = ['tags', 'endUser', 'webhookUrlOverride'] as const;
export type Replaceable = (typeof REPLACEABLE)[number];

export interface AuthorizationPreset {
  readonly authorizationParams?: Readonly<Record<string, string>>;
  /** Comma separated, as on the wire. */
  readonly userScopes?: string;
  /** The ID of the account, site or workspace that is chosen where the provider lists several. */
  readonly choice?: string;
  /** In place of the integration's app. */
  readonly ownApp?: { readonly clientId?: string; readonly clientSecret?: string };
}

export interface UiOverride {
  /** The guide for end users, in place of the provider's. */
  readonly docsConnect?: string;
}

/** What a session has unless its backend sets it. */
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

/** What changes of the connection that the session authorizes again, beside its credentials. */
export function changeBySession(session: ConnectSession): ConnectionChange {
  return Object.fromEntries(session.replaces.map((member) => [member, session[member]]));
}
