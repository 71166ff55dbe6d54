import type { KeyRing, Place } from './key-ring.ts';

/**
 * In requests of `svc doctor`, the header with the proof that the sender has the key ring of this installation; in responses, the
 * header that says how the request arrived.
 */
export const PROBE_HEADER = 'svc-probe';

const PROOF = 'svc';
/** The place for which probes are encrypted; nothing is stored there. */
const PLACE: Place = { table: 'doctor', column: 'probe', environmentId: 0, rowId: 0 };

/** How a request arrived at the service, behind whatever proxies there are. Its sender cannot see this. */
export interface Sighting {
  /** The address that connected to the service. */
  readonly peer: string;
  /** The client's address as the service determines it, e.g. for its limits. */
  readonly client: string;
  readonly forwardedFor: string | null;
  /** True if the request still asked to switch protocols when it arrived. */
  readonly upgrade: boolean;
  /** Milliseconds since 1970, by the clock of the service. */
  readonly now: number;
}

/** Creates a value for the request header. */
export function newProbe(keys: KeyRing): string {
  return keys.encrypt(PROOF, PLACE).toString('base64url');
}

/**
 * Returns whether the value was created with one of these keys. It never expires, which is safe because all it reveals is how the
 * sender's request arrived.
 */
export function isProbe(keys: KeyRing, text: string): boolean {
  try {
    return keys.decrypt(Buffer.from(text, 'base64url'), PLACE) === PROOF;
  } catch {
    return false;
  }
}

/** Returns the value for the response header. */
export function writeSighting(sighting: Sighting): string {
  return Buffer.from(JSON.stringify(sighting)).toString('base64url');
}

/** Reads a value of the response header; undefined for any other text. */
export function readSighting(text: string | undefined): Sighting | undefined {
  if (text === undefined) return undefined;
  try {
    const { peer, client, forwardedFor, upgrade, now } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const isOne = typeof peer === 'string' && typeof client === 'string' && typeof now === 'number';
    return isOne ? { peer, client, forwardedFor: forwardedFor ?? null, upgrade: upgrade === true, now } : undefined;
  } catch {
    return undefined;
  }
}
