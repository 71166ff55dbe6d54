import type { StoredOAuth2 } from './stored-credentials.ts';

interface Dated {
  readonly receivedAt: string;
  readonly expiresAt?: string;
}

interface Validity {
  readonly expiresAt?: Date;
  readonly receivedAt: Date;
  readonly refreshable: boolean;
}

type Lifetime = Pick<StoredOAuth2, 'expiresAt' | 'statedLifetimeMs'>;

/** What is known of a token's lifetime, to be stored with the token. */
export function lifetimeOf({ expiresAt, statedLifetimeMs }: Lifetime): Lifetime {
  return { ...(expiresAt !== undefined && { expiresAt }), ...(statedLifetimeMs !== undefined && { statedLifetimeMs }) };
}

/** As the stored dates say. @param refreshable whether the credentials can be renewed without the user */
export function validityOf({ receivedAt, expiresAt }: Dated, refreshable = false): Validity {
  return {
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
    receivedAt: new Date(receivedAt),
    refreshable,
  };
}
