import type { Expiring } from './building-blocks/stored-credentials.ts';
import { modeOf } from './index.ts';

interface Validity {
  readonly expiresAt?: Date;
  readonly receivedAt: Date;
  readonly refreshable: boolean;
}

/** When the credentials stop working, and whether they can be renewed without the user. */
export function validityOf(stored: Expiring): Validity {
  const { refresh, isRefreshable } = modeOf(stored);
  return {
    ...(stored.expiresAt !== undefined && { expiresAt: new Date(stored.expiresAt) }),
    receivedAt: new Date(stored.receivedAt),
    refreshable: stored.isRefreshable ?? (refresh !== undefined && isRefreshable?.(stored) !== false),
  };
}
