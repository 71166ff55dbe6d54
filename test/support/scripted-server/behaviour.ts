import type { Barrier } from './barrier.ts';

/**
 * The way in which a response reaches the caller. Unless it is `whole` or `drip`, the caller receives no complete response and
 * cannot know the outcome.
 */
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
  /** One byte at a time, 20 per second. */
  | 'drip'
  /** The body repeated without an end. */
  | 'endless';

export interface ScriptedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/** The place in which a careless provider repeats the secrets that it was sent. */
export type EchoPlace = 'error_body' | 'header' | 'redirect' | 'www_authenticate' | 'cookie' | 'html_title';

/**
 * How the server treats one request. Its properties can be combined and take effect in the order in which they are listed here.
 * Without any, the server behaves correctly.
 */
export interface Behaviour {
  readonly delayMs?: number;
  /** Holds the request before it is processed. */
  readonly barrier?: Barrier;
  /** A response with any status, type and bytes, which is sent without processing the request. */
  readonly response?: ScriptedResponse;
  /** Makes the server repeat the received secrets without processing the request. */
  readonly echo?: { readonly place: EchoPlace; readonly status?: number; readonly error?: string };
  /**
   * Fields that replace or extend those of the regular OAuth response (token JSON, callback parameters); `undefined` leaves one
   * out.
   */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Writes the regular token response in another way, such as in another charset or format. */
  readonly write?: (members: Readonly<Record<string, unknown>>) => ScriptedResponse;
  /** Holds the response after the request has been processed. */
  readonly responseBarrier?: Barrier;
  readonly delivery?: Delivery;
}
