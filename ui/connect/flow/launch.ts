/**
 * Time for which a launch can be opened: a bit less than the service keeps one that nobody has opened, so that no link leads to
 * nothing.
 */
const VALID_MS = 110_000;

/** The start of a sign-in in a window of its own: the address of its page, and when it was created. */
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

/** Returns whether the launch page can still be opened if nobody has opened it yet. */
export function isFresh({ madeAt }: Launch, now: Date): boolean {
  return now.getTime() - madeAt.getTime() < VALID_MS;
}

/** Creates a UUID of version 4 (RFC 9562 §5.4); `crypto.randomUUID` is missing on pages that are served by plain HTTP. */
export function newFlowId(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');
}
