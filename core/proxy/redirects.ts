import type { Answer } from './exchange.ts';
import { headerValue } from './response-headers.ts';
import { type AddedQuery, joinQuery, type Target } from './target.ts';

export const MAX_REDIRECTS = 5;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Where to ask next, when that is the same origin and asking again is safe (RFC 9110 §15.4). Everything else goes to the caller:
 * the credentials belong to this origin alone.
 *
 * @param added what every request to the provider carries in its query, credentials among it
 */
export function followedRedirect(
  method: string | undefined,
  answer: Answer,
  { asked, added }: { readonly asked: Target; readonly added: AddedQuery },
): Target | undefined {
  if (!REDIRECTS.has(answer.status) || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const location = headerValue(answer.headers, 'location');
  const url = location === undefined ? null : URL.parse(location, asked.origin + asked.path);
  // A user name in the address would be credentials of the provider's choosing.
  if (url === null || url.origin !== asked.origin || url.username !== '' || url.password !== '') return undefined;
  return { origin: asked.origin, path: url.pathname + joinQuery(url.search, added) };
}
