interface PageContext {
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string;
  /** What its scripts may know of the instance; public. */
  readonly settings: object;
}

/** A built page, whose addresses then begin at the service's base path, and whose scripts find the settings in `#settings`. */
export function pageWithSettings(page: string, { baseUrl, settings }: PageContext): string {
  // The path alone: the page works at any name of this host, and beneath a proxy that removes the path again.
  const { pathname } = new URL(baseUrl);
  const base = `<base href="${attribute(pathname === '/' ? '/' : `${pathname}/`)}">`;
  // Data, no script: the policy of the page does not apply. `<` must not end the element.
  const data = `<script type="application/json" id="settings">${JSON.stringify(settings).replaceAll('<', '\\u003c')}</script>`;
  return page.replace('<head>', () => `<head>\n    ${base}\n    ${data}`);
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
