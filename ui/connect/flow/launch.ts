/** After which the service forgets a launch that nobody has opened. A bit less, so that no link leads to nothing. */
const VALID_MS = 110_000;

/** The start of a sign-in in a window of its own: its page, and whether that can still be opened. */
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

/** Its page has not been opened, and still can be. */
export function isFresh({ madeAt }: Launch, now: Date): boolean {
  return now.getTime() - madeAt.getTime() < VALID_MS;
}

/** A UUID of version 4 (RFC 9562 §5.4); `crypto.randomUUID` is missing on pages that are served by plain HTTP. */
export function newFlowId(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');
}
