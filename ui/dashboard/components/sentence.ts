/** Returns a message of the service as a sentence of a page: with a capital at its start and a full stop at its end. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** Returns a summary with a capital at its start, unless it begins with a name such as `invalid_grant`. */
export function capitalized(text: string): string {
  return /^[a-z]+(?![\w.:/-])/.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
}
