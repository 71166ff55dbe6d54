interface UseTimes {
  readonly createdAt: Date;
  readonly lastFetchedAt: Date;
}

/**
 * Returns when credentials were last fetched; null when they never were. The column begins with the time of the connection's
 * creation.
 */
export function lastUse({ createdAt, lastFetchedAt }: UseTimes): string | null {
  return lastFetchedAt.getTime() === createdAt.getTime() ? null : lastFetchedAt.toISOString();
}
