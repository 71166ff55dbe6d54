interface UseTimes {
  readonly createdAt: Date;
  readonly lastFetchedAt: Date;
}

/** When credentials were last fetched. Null: never; the column begins with the time of the connection's creation. */
export function lastUse({ createdAt, lastFetchedAt }: UseTimes): string | null {
  return lastFetchedAt.getTime() === createdAt.getTime() ? null : lastFetchedAt.toISOString();
}
