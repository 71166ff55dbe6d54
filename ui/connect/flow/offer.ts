import type { Integration, Session } from '../../kit/wire.ts';

export function integrationOf(session: Session | null, key: string | null | undefined): Integration | undefined {
  return session?.integrations.find((integration) => integration.unique_key === key);
}

/**
 * Returns the integration that the window opens without a picker: the requested one, the one to be reauthorized, or the only one.
 */
export function onlyOffer(session: Session, wanted: readonly (string | null | undefined)[]): string | undefined {
  const { integrations, reconnect } = session;
  const only = integrations.length === 1 ? integrations[0]?.unique_key : undefined;
  const keys = [...wanted, reconnect?.integration, only];
  return keys.find((key) => integrationOf(session, key) !== undefined) ?? undefined;
}

export function hasPicker(session: Session | null): boolean {
  return session !== null && session.integrations.length > 1 && session.reconnect === null;
}
