export type ReturnStatus = 'connected' | 'failed' | 'closed';

/**
 * Returns the URL to which a link's user returns at the end. Accepts only `https:`, or `http:` on this machine, since the URL
 * comes from data.
 *
 * @returns null if there is no acceptable URL
 */
export function returnAddress(url: string | null | undefined, status: ReturnStatus, integration?: string): string | null {
  if (!url || !URL.canParse(url)) return null;
  const address = new URL(url);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && isLocal)) return null;
  const added = new URLSearchParams({ svc_status: status, ...(integration !== undefined && { integration }) });
  // `searchParams` would change the encoding of the application's own parameters.
  address.search += `${address.search === '' ? '' : '&'}${added}`;
  return address.href;
}
