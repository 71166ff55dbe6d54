/** The durations that the README beside this file describes; tests pass shorter ones. */
export interface RefreshTimes {
  /** How long a lease lasts from its claim or its last heartbeat. */
  readonly leaseSeconds: number;
  readonly heartbeatMs: number;
  /** How long an expired lease still counts as held. */
  readonly graceSeconds: number;
  /** The timeout of the call that refreshes: to the token endpoint, or of a plugin's hook that refreshes or signs in again. */
  readonly callMs: number;
  /** How long callers wait for a refresh: a shorter time while the stored token still works. */
  readonly patienceMs: { readonly whileUsable: number; readonly otherwise: number };
  /** After this time a call no longer counts towards its origin's limit of parallel calls, but towards that of slow calls. */
  readonly slowAfterMs: number;
  /** After a refusal, how long the refresh waits for the end of an authorization that the connection's user has under way. */
  readonly reauthorizationMs: number;
}

export const REFRESH_TIMES: RefreshTimes = {
  leaseSeconds: 30,
  heartbeatMs: 10_000,
  graceSeconds: 60,
  callMs: 120_000,
  patienceMs: { whileUsable: 3_000, otherwise: 20_000 },
  slowAfterMs: 20_000,
  reauthorizationMs: 60_000,
};
