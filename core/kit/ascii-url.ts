/**
 * Converts an absolute URL to ASCII, the form in which it is dialled: the host becomes A-labels (RFC 5890 §2.3.2.1), so that a
 * host whose name merely looks like another one can be told from it when it is shown. A URL that is ASCII already is returned
 * unchanged.
 */
export function asciiUrl(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : new URL(text).href;
}
