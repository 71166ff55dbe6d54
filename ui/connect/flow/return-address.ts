export type ReturnStatus = 'connected' | 'failed' | 'closed';

/** Where a link leads at its end. Only `https:`, and plain HTTP of this machine: it comes from data. @returns null: nowhere */
export function returnAddress(url: string | null | undefined, status: ReturnStatus, integration?: string): string | null {
  if (!url || !URL.canParse(url)) return null;
  const address = new URL(url);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && isLocal)) return null;
  const added = new URLSearchParams({ svc_status: status, ...(integration !== undefined && { integration }) });
  // Not by `searchParams`, which would write the application's own parameters in another way.
  address.search += `${address.search === '' ? '' : '&'}${added}`;
  return address.href;
}
