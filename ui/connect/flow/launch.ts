/**
 * Time during which a launch page can be opened: a little less than the service keeps an unopened launch, so that no link leads
 * to one that has expired.
 */
const VALID_MS = 110_000;

/** The start of a sign-in: the URL of its launch page, and when it was created. */
export interface Launch {
  readonly id: string;
  readonly url: string;
  readonly madeAt: Date;
}

export function newLaunch(base: string, now: Date): Launch {
  const id = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  return { id, url: `${base}connect/launch#${id}`, madeAt: now };
}

/** Returns whether a launch page that has not been opened yet can still be opened. */
export function isFresh({ madeAt }: Launch, now: Date): boolean {
  return now.getTime() - madeAt.getTime() < VALID_MS;
}

/** Creates a UUID of version 4 (RFC 9562 §5.4); `crypto.randomUUID` is missing on pages that are served by plain HTTP. */
export function newFlowId(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');
}
