interface PagePolicy {
  /** CSP §6.4.2: the sites that may show the page in a frame. */
  readonly frameAncestors: string;
  /** `'self'` for a page with its own `<base>`. Default: `'none'`. */
  readonly baseUri?: string;
  /** The addresses that the page itself may show in a frame. Default: none. */
  readonly frameSrc?: string;
}

/**
 * Returns the content security policy of a page with scripts: it allows the page's own scripts, styles and calls, but nothing
 * inline and nothing from other sites.
 */
export function pagePolicy({ frameAncestors, baseUri = "'none'", frameSrc }: PagePolicy): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    ...(frameSrc === undefined ? [] : [`frame-src ${frameSrc}`]),
    "form-action 'self'",
    `base-uri ${baseUri}`,
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}
