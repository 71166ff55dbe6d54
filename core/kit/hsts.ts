/** RFC 6797: a browser that has seen it once never calls this host by plain http again, for a year. */
export const HSTS_HEADER = 'strict-transport-security';
export const HSTS = 'max-age=31536000';

/** Browsers ignore it by plain http (§8.1), and a service behind one that speaks https knows it by its address. */
export function isHttps(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
