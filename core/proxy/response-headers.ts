import { HOP_BY_HOP } from '../kit/header-syntax.ts';
import { HSTS, HSTS_HEADER } from '../kit/hsts.ts';
import { headerValue, namedByConnection, type RawHeaders } from './raw-headers.ts';

interface ResponseHeadersInput {
  readonly status: number;
  readonly requestId: string;
  /** True when the body is decompressed: headers about the compressed body are removed. */
  readonly decompressed?: boolean;
  /** Headers about the rate limit of the caller's key. */
  readonly limitHeaders?: RawHeaders | undefined;
  readonly isHttps?: boolean | undefined;
}

/**
 * Headers that are hop-by-hop, would take effect for the service's own origin, or instruct a reverse proxy in front of the
 * service: nginx and lighttpd respond to these with a local file or another internal URL.
 */
const NOT_PASSED = new Set([
  ...HOP_BY_HOP,
  'set-cookie',
  'set-cookie2',
  'strict-transport-security',
  'clear-site-data',
  'alt-svc',
  'service-worker-allowed',
  'content-security-policy',
  'content-security-policy-report-only',
  'x-content-type-options',
  'x-frame-options',
  'x-sendfile',
  'x-lighttpd-send-file',
  'x-reproxy-url',
  'nel',
  'report-to',
  'reporting-endpoints',
  'speculation-rules',
  'set-login',
  'accept-ch',
  'public-key-pins',
  'public-key-pins-report-only',
]);
/** `svc-` is reserved for the service. */
const NOT_PASSED_PREFIXES = ['access-control-', 'proxy-', 'svc-', 'x-accel-'];
const NO_CONTENT = 204;
const LIMIT_HEADER = /^x-ratelimit-/i;

/**
 * Returns the provider's headers for the caller, with the service's own, which deny a response that a browser renders any rights
 * on the service's origin.
 */
export function responseHeaders(providers: RawHeaders, input: ResponseHeadersInput): string[] {
  const hopByHop = namedByConnection(providers);
  const dropsLength = input.decompressed === true || input.status === NO_CONTENT || hasTransferEncoding(providers);
  const passed: string[] = [];
  for (let index = 0; index < providers.length; index += 2) {
    const name = providers[index] ?? '';
    const key = name.toLowerCase();
    if (NOT_PASSED.has(key) || NOT_PASSED_PREFIXES.some((prefix) => key.startsWith(prefix)) || hopByHop?.has(key)) continue;
    if (dropsLength && key === 'content-length') continue;
    if (input.decompressed === true && key === 'content-encoding') continue;
    passed.push(name, providers[index + 1] ?? '');
  }
  passed.push('Svc-Request-Id', input.requestId, 'X-Content-Type-Options', 'nosniff', 'Content-Security-Policy', 'sandbox');
  if (input.isHttps === true) passed.push(HSTS_HEADER, HSTS);
  // If the provider sends rate limits of its own, its clients expect those; a mixture would be meaningless.
  if (input.limitHeaders !== undefined && !passed.some(isOfLimit)) passed.push(...input.limitHeaders);
  return passed;
}

function isOfLimit(part: string, index: number): boolean {
  return index % 2 === 0 && LIMIT_HEADER.test(part);
}

/**
 * Returns whether there is a transfer coding. A length beside one is ignored (RFC 9112 §6.3); if the length were forwarded, two
 * readers could disagree about the end of the body.
 */
function hasTransferEncoding(headers: RawHeaders): boolean {
  return headerValue(headers, 'transfer-encoding') !== undefined;
}
