function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Creates an ID of 192 random bits, in hex digits. */
export function newLaunchId(): string {
  return hex(crypto.getRandomValues(new Uint8Array(24)));
}

/** Creates a UUID of version 4 (RFC 9562 §5.4). `crypto.randomUUID` is missing on pages that are served by plain HTTP. */
export function newFlowId(): string {
  return newLaunchId()
    .slice(16)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');
}

/**
 * Returns the name by which events identify a session; null on pages that are served by plain HTTP, where browsers offer no
 * digests.
 */
export async function sessionRefOf(token: string): Promise<string | null> {
  const digest = await crypto.subtle?.digest('SHA-256', new TextEncoder().encode(token));
  return digest ? hex(new Uint8Array(digest, 0, 4)) : null;
}
