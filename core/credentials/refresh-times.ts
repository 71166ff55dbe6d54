/** The durations that the README beside this file describes; tests pass shorter ones. */
export interface RefreshTimes {
  /** How long a lease lasts from its claim or its last heartbeat. */
  readonly leaseSeconds: number;
  readonly heartbeatMs: number;
  /** How long an expired lease still counts as held. */
  readonly graceSeconds: number;
  /** The timeout of the call that refreshes: to the token endpoint, or of a plugin's hook that refreshes or signs in again. */
  readonly callMs: number;
  /** How long callers wait for a refresh: not long while the stored token works. */
  readonly patienceMs: { readonly whileUsable: number; readonly otherwise: number };
  /** After this time a call moves from the limit of its origin to the limit of slow calls. */
  readonly slowAfterMs: number;
  /** How long the handling of a refusal waits for an authorization that the connection's user has under way. */
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
