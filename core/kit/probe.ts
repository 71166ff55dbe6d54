import type { KeyRing, Place } from './key-ring.ts';

/** On a request: proof that the sender has the key ring of this installation. On the response: how the request arrived. */
export const PROBE_HEADER = 'svc-probe';

const PROOF = 'svc';
/** A place where nothing is stored. */
const PLACE: Place = { table: 'doctor', column: 'probe', environmentId: 0, rowId: 0 };

/** How a request arrived at the service, which its sender cannot see. */
export interface Sighting {
  /** The address that connected to the service. */
  readonly peer: string;
  /** The address that the request counts for. */
  readonly client: string;
  readonly forwardedFor: string | null;
  /** Whether the request still asked to become another protocol. */
  readonly upgrade: boolean;
  /** Milliseconds since 1970, by the clock of the service. */
  readonly now: number;
}

/** A value for the request's header. */
export function newProbe(keys: KeyRing): string {
  return keys.encrypt(PROOF, PLACE).toString('base64url');
}

/** Whether the value was made with one of these keys. Made once it holds for ever: it lets its sender see its own request. */
export function isProbe(keys: KeyRing, text: string): boolean {
  try {
    return keys.decrypt(Buffer.from(text, 'base64url'), PLACE) === PROOF;
  } catch {
    return false;
  }
}

/** A value for the response header. */
export function writeSighting(sighting: Sighting): string {
  return Buffer.from(JSON.stringify(sighting)).toString('base64url');
}

/** Undefined when it is none. */
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
