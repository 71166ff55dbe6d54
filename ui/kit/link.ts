/** Returns a URL that comes from data if it is safe as a link, that is, if it uses HTTPS; otherwise undefined. */
export function httpsOnly(url: string | null | undefined): string | undefined {
  return url && URL.canParse(url) && new URL(url).protocol === 'https:' ? url : undefined;
}
