import type { Expiring } from './stored-credentials.ts';

interface Validity {
  readonly expiresAt?: Date;
  readonly receivedAt: Date;
  readonly refreshable: boolean;
}

type Lifetime = Pick<Expiring, 'expiresAt' | 'statedLifetimeMs'>;

/** The lifetime of a token, as it is stored. */
export function lifetimeOf({ expiresAt, statedLifetimeMs }: Lifetime): Lifetime {
  return { ...(expiresAt !== undefined && { expiresAt }), ...(statedLifetimeMs !== undefined && { statedLifetimeMs }) };
}

/** The validity by the stored dates. @param refreshable whether the credentials can be renewed without the user */
export function validityOf({ receivedAt, expiresAt }: Pick<Expiring, 'receivedAt' | 'expiresAt'>, refreshable = false): Validity {
  return {
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
    receivedAt: new Date(receivedAt),
    refreshable,
  };
}
