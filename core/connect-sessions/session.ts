import type { JsonObject } from '#contract';
import type { Tags } from '../connections/connection.ts';

/** A backend's short-lived permission for one end user to connect. The token itself is kept only as a hash. */
export interface ConnectSession {
  readonly id: number;
  readonly environmentId: number;
  readonly tags: Tags;
  /** Integration keys; null: every integration of the environment. */
  readonly allowedIntegrations: readonly string[] | null;
  /** Connection configuration fixed by the backend, by integration key. */
  readonly defaults: Readonly<Record<string, JsonObject>>;
  /** Row ID of the connection to authorize again; null: a new one. */
  readonly reconnectId: number | null;
  readonly expiresAt: Date;
}

export function allows(session: Pick<ConnectSession, 'allowedIntegrations'>, uniqueKey: string): boolean {
  return session.allowedIntegrations === null || session.allowedIntegrations.includes(uniqueKey);
}
