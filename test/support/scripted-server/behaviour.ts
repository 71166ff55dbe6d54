import type { Barrier } from './barrier.ts';

/** How a response reaches the caller; everything but `whole` and `drip` leaves the outcome unknown to it. */
export type Delivery =
  | 'whole'
  /** Nothing is sent; the connection is reset (RST). */
  | 'reset'
  /** Head and half the body, then a reset. */
  | 'reset_inside'
  /** Nothing is sent, ever. */
  | 'hang'
  /** Head and half the body, then nothing, ever. */
  | 'stall'
  /** Head with the full length and half the body, then a clean end of the connection. */
  | 'truncate'
  /** Byte after byte, 20 a second. */
  | 'drip'
  /** The body over and over, without an end. */
  | 'endless';

export interface ScriptedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/** Where a careless provider repeats the secrets it was sent. */
export type EchoPlace = 'error_body' | 'header' | 'redirect' | 'www_authenticate' | 'cookie' | 'html_title';

/** What one request meets. Members combine, in the order of this list; without any the server is honest. */
export interface Behaviour {
  readonly delayMs?: number;
  /** Holds the request before the work. */
  readonly barrier?: Barrier;
  /** Sent instead of doing the work: any status, type and bytes. */
  readonly response?: ScriptedResponse;
  /** Repeats the received secrets instead of doing the work. */
  readonly echo?: { readonly place: EchoPlace; readonly status?: number; readonly error?: string };
  /** Members laid over those of the honest OAuth response (token JSON, callback parameters); `undefined` leaves one out. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Writes the honest token response in another way: charset, format. */
  readonly write?: (members: Readonly<Record<string, unknown>>) => ScriptedResponse;
  /** Holds the response after the work is done. */
  readonly responseBarrier?: Barrier;
  readonly delivery?: Delivery;
}
