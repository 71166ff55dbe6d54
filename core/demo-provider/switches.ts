const MAX_SLOW_MS = 10_000;
/** RFC 6749 §4.1.2.1 */
const ERROR = /^[a-z_]{1,40}$/;

/** What a test can ask of the authorization page, as further parameters of its address. */
export interface Switches {
  /** Sends `Cross-Origin-Opener-Policy: same-origin`, which cuts the page off from the window that opened it. */
  readonly coop: boolean;
  /** Goes back at once with this error. */
  readonly error: string | undefined;
  readonly slowMs: number;
}

export function readSwitches(query: URLSearchParams): Switches {
  const error = query.has('deny') ? 'access_denied' : (query.get('error') ?? undefined);
  const slowMs = Number(query.get('slow') ?? 0);
  return {
    coop: query.get('coop') === 'same-origin',
    error: error !== undefined && ERROR.test(error) ? error : undefined,
    slowMs: slowMs > 0 ? Math.min(slowMs, MAX_SLOW_MS) : 0,
  };
}
