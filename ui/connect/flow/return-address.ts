export type ReturnStatus = 'connected' | 'failed' | 'closed';

/**
 * Returns the address to which a link leads at its end. Accepts `https:`, and plain HTTP of this machine, alone: it comes from
 * data.
 *
 * @returns null if there is none
 */
export function returnAddress(url: string | null | undefined, status: ReturnStatus, integration?: string): string | null {
  if (!url || !URL.canParse(url)) return null;
  const address = new URL(url);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && isLocal)) return null;
  const added = new URLSearchParams({ svc_status: status, ...(integration !== undefined && { integration }) });
  // `searchParams` would write the application's own parameters in another way.
  address.search += `${address.search === '' ? '' : '&'}${added}`;
  return address.href;
}
