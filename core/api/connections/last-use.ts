interface UseTimes {
  readonly createdAt: Date;
  readonly lastFetchedAt: Date;
}

/**
 * Returns when a connection's credentials were last fetched; null if they never were, that is, while the column still has its
 * initial value, the time of creation.
 */
export function lastUse({ createdAt, lastFetchedAt }: UseTimes): string | null {
  return lastFetchedAt.getTime() === createdAt.getTime() ? null : lastFetchedAt.toISOString();
}
