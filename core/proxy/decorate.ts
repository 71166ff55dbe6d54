import type { OutgoingRequest } from '#contract';
import { checkedHeader, isFraming } from '../kit/header-syntax.ts';
import { joinedByName, type RawHeaders } from './raw-headers.ts';
import { isAllowedHost, type UpstreamTarget } from './target.ts';

/** A request's head, ready to be sent. */
export interface RequestHead {
  readonly method: string;
  readonly target: UpstreamTarget;
  readonly headers: string[];
}

interface Decoration {
  readonly decorate: (request: OutgoingRequest) => OutgoingRequest;
  /** @throws for a URL that may not be called */
  readonly check: (url: URL) => void;
  readonly allowedHosts: readonly string[];
}

/**
 * The head after the plugin's `decorate`: unchanged headers are sent byte for byte as they were.
 *
 * @throws Error if it changes framing, the method, or the host to one that is not the provider's
 */
export function decorated({ method, target, headers }: RequestHead, decoration: Decoration): RequestHead {
  const { href } = new URL(target.origin + target.path);
  const before = joinedByName(headers.filter((_, index) => !isFraming(nameAt(headers, index))));
  const request: unknown = decoration.decorate({ method, url: new URL(href), headers: { ...before } });
  if (!isRequest(request)) throw new Error('it returned no request');
  if (request.method !== method) throw new Error('it changed the method');
  return {
    method,
    target: request.url.href === href ? target : allowedTarget(request.url, target, decoration),
    headers: mergedHeaders(headers, before, request.headers),
  };
}

function isRequest(value: unknown): value is OutgoingRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { url, headers }: { url?: unknown; headers?: unknown } = value;
  return url instanceof URL && typeof headers === 'object' && headers !== null;
}

/** The request carries credentials: they may only go where calls of this connection may go. */
function allowedTarget(url: URL, { origin }: UpstreamTarget, { check, allowedHosts }: Decoration): UpstreamTarget {
  if (url.username !== '' || url.password !== '' || url.hash !== '') throw new Error('its URL has a user name or a fragment');
  if (url.origin !== origin && !isAllowedHost(url, allowedHosts)) throw new Error('its host is not an allowed host');
  check(url);
  return { origin: url.origin, path: url.pathname + url.search };
}

function mergedHeaders(
  headers: RawHeaders,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const changed = new Map<string, string>();
  for (const [name, value] of Object.entries(after)) changed.set(...checkedHeader(name, value));
  const isKept = (name: string) => isFraming(name) || (changed.has(name) && changed.get(name) === before[name]);
  const kept = headers.filter((_, index) => isKept(nameAt(headers, index)));
  const set = [...changed].filter(([name, value]) => before[name] !== value);
  return [...kept, ...set.flat()];
}

/** The header name at this index, or of the value at this index; in lower case. */
function nameAt(headers: RawHeaders, index: number): string {
  return (headers[index - (index % 2)] ?? '').toLowerCase();
}
