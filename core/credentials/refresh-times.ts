/** The durations of the README beside this file; tests pass shorter ones. */
export interface RefreshTimes {
  /** For how long a lease is claimed and prolonged. */
  readonly leaseSeconds: number;
  readonly heartbeatMs: number;
  /** For how long an expired lease still counts as held. */
  readonly graceSeconds: number;
  /** Of a call of the token endpoint. */
  readonly callMs: number;
  /** How long callers wait for a renewal: not long while the stored token works. */
  readonly patienceMs: { readonly whileUsable: number; readonly otherwise: number };
  /** After this time a call leaves the limit of its origin for that of slow calls. */
  readonly slowAfterMs: number;
  /** How long a refusal waits for an authorization that the connection's user has under way. */
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
