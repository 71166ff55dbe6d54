interface PageContext {
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string;
  /** Settings of the instance that the page's scripts may read; they are public. */
  readonly settings: object;
}

/** Adds to a built page a base address at the service's base path, and the settings, which its scripts find in `#settings`. */
export function pageWithSettings(page: string, { baseUrl, settings }: PageContext): string {
  // Only the path is used: the page works under any name of this host, and behind a proxy that removes the path again.
  const { pathname } = new URL(baseUrl);
  const base = `<base href="${attribute(pathname === '/' ? '/' : `${pathname}/`)}">`;
  // This is data, not a script, so the page's policy does not apply to it. `<` is escaped, so that no setting can end the
  // element.
  const data = `<script type="application/json" id="settings">${JSON.stringify(settings).replaceAll('<', '\\u003c')}</script>`;
  return page.replace('<head>', () => `<head>\n    ${base}\n    ${data}`);
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
