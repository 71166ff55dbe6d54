import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../errors.ts';

/**
 * Against cross-site request forgery: a request that changes something must come from a page of ours. `Sec-Fetch-Site` says so; a
 * browser that sends none (Chromium on plain http) sends `Origin` (OWASP CSRF Prevention Cheat Sheet, "Fetch Metadata"). The header
 * `X-Svc-UI` no form and no other site's script can send without a preflight, which nothing allows.
 *
 * @throws ServiceError `forbidden`
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, ownOrigin: string): void {
  const site = headers['sec-fetch-site'];
  const isSame = site === undefined ? headers.origin === ownOrigin : site === 'same-origin';
  if (!isSame) throw new ServiceError('forbidden', 'this request does not come from a page of this service');
  if (headers['x-svc-ui'] !== '1') throw new ServiceError('forbidden', 'this endpoint is for the dashboard: send "X-Svc-UI: 1"');
}
