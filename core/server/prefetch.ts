import type { IncomingHttpHeaders } from 'node:http';

/** The response to a prefetch, for the documentation of a route that has effects. */
export const PREFETCHED = { description: 'Response to a prefetch (`Sec-Purpose` or `Purpose`), which has no effect.' } as const;

/**
 * Returns whether a browser loads the address before somebody wants to see it (Fetch standard, "`Sec-Purpose`"; Chromium sent
 * `Purpose` before). The same header announces prerendering, too.
 */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const purposes = [headers['sec-purpose'], headers['purpose']].flat();
  return purposes.some((purpose) => purpose?.split(/[;,\s]/).includes('prefetch') === true);
}
