import { isLoopback } from '../../kit/loopback.ts';

/** An http or https origin in its canonical form; undefined for anything else, such as one with a path, and for `null`. */
export function readOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\\\s*]+\/?$/i.test(text)) return undefined;
  return URL.parse(text)?.origin;
}

/** Whether an http or https URL can be visited safely: encrypted, or on this machine, as during development. */
export function isSafeToVisit({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** @param origin as a browser states it; @param allowed canonical origins */
export function isAmong(origin: string, allowed: readonly string[]): boolean {
  const canonical = readOrigin(origin);
  return canonical !== undefined && allowed.includes(canonical);
}
