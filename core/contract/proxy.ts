import type { ConnectionFacts } from './context.ts';

/** The head of the request about to leave. The body streams past; no rule may read it. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  /** By name in lower case, without those that frame the message; the values of a repeated one joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Deviations of proxied calls that `proxy` in provider.json cannot say. */
export interface ProxyRules {
  /**
   * Last change to the request's head, after base URL and credentials are in place; called for each try. Method, framing and
   * hosts that are not the provider's are not its to choose: asking for them is a bug, and nothing is sent.
   */
  decorate?(request: OutgoingRequest, connection: ConnectionFacts): OutgoingRequest;
  /**
   * Milliseconds to wait before the one retry of a bodiless request, or undefined for none. Asked for each answer; a wait that
   * would end after the call's time (60 s, or `Svc-Timeout`) is not made.
   */
  retryAfter?(status: number, headers: Readonly<Record<string, string>>): number | undefined;
}
