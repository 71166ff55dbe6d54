import { headerValue } from './raw-headers.ts';
import type { ResponseHead } from './send.ts';
import { type AddedQuery, joinQuery, type UpstreamTarget } from './target.ts';

export const MAX_REDIRECTS = 5;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Where to send the request next, if that is the same origin and repeating is safe (RFC 9110 §15.4). Other redirects go to the
 * caller: the credentials are for this origin only.
 *
 * @param added the parameters of every request to the provider, which may be credentials
 */
export function followedRedirect(
  method: string,
  response: ResponseHead,
  { from, added }: { readonly from: UpstreamTarget; readonly added: AddedQuery },
): UpstreamTarget | undefined {
  if (!REDIRECTS.has(response.status) || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const location = headerValue(response.headers, 'location');
  const url = location === undefined ? null : URL.parse(location, from.origin + from.path);
  // A user name in the URL would be credentials chosen by the provider.
  if (url === null || url.origin !== from.origin || url.username !== '' || url.password !== '') return undefined;
  return { origin: from.origin, path: url.pathname + joinQuery(url.search, added) };
}
