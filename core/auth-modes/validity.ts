import type { Expiring } from './building-blocks/stored-credentials.ts';
import { modeOf } from './index.ts';

interface Validity {
  readonly expiresAt?: Date;
  readonly receivedAt: Date;
  readonly refreshable: boolean;
}

/** Returns when the credentials expire, and whether they can be refreshed without the user. */
export function validityOf(stored: Expiring): Validity {
  const { refresh, isRefreshable } = modeOf(stored);
  return {
    ...(stored.expiresAt !== undefined && { expiresAt: new Date(stored.expiresAt) }),
    receivedAt: new Date(stored.receivedAt),
    refreshable: stored.isRefreshable ?? (refresh !== undefined && isRefreshable?.(stored) !== false),
  };
}
