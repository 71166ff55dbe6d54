interface PagePolicy {
  /** CSP §6.4.2: who may show the page in a frame. */
  readonly frameAncestors: string;
  /** Of a page with a `<base>` of its own: `'self'`. */
  readonly baseUri?: string;
  /** What the page itself may show in a frame. Default: nothing. */
  readonly frameSrc?: string;
}

/** Content security policy of a page with scripts: its own scripts, styles and calls; nothing inline, nothing foreign. */
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
