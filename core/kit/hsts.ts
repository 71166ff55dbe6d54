/** The header that makes browsers use only https for this host for a year (RFC 6797). */
export const HSTS_HEADER = 'strict-transport-security';
export const HSTS = 'max-age=31536000';

/**
 * Returns whether the service is called over https. Browsers ignore the header over plain http (§8.1); a service behind a proxy
 * that terminates TLS knows only from its public URL that callers use https.
 */
export function isHttps(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
