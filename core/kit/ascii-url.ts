/**
 * An absolute URL in ASCII, as it is dialled: its host by A-labels (RFC 5890 §2.3.2.1), so that what looks like a name and is
 * another is never shown as it. What is ASCII already stays as it was written.
 */
export function asciiUrl(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : new URL(text).href;
}
