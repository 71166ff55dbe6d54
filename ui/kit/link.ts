/** Returns an address that came as data if it may be a link, otherwise undefined. */
export function httpsOnly(url: string | null | undefined): string | undefined {
  return url && URL.canParse(url) && new URL(url).protocol === 'https:' ? url : undefined;
}
