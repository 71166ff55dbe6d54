import { isLoopback } from '../../kit/loopback.ts';

/**
 * Returns the canonical form of an http or https origin; undefined for anything else, such as an address with a path, or `null`.
 */
export function readOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\\s*]+\/?$/i.test(text)) return undefined;
  return URL.parse(text)?.origin;
}

/** Returns whether visiting a URL is safe: by https, or by http on this machine, as during development. */
export function isSafeToVisit({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** @param origin as a browser sends it; @param allowed canonical origins */
export function isAmong(origin: string, allowed: readonly string[]): boolean {
  const canonical = readOrigin(origin);
  return canonical !== undefined && allowed.includes(canonical);
}
