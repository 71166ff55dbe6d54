import type { ConnectionFacts } from './context.ts';

/** A request about to be sent, without its body, which is streamed. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names, without those that frame the message; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Deviations of proxied calls that `proxy` in provider.json cannot express. */
export interface ProxyRules {
  /**
   * Modifies URL and headers after base URL and credentials are set; called for each attempt. Changing the method, the framing,
   * or the host to one that is not the provider's is a bug, and nothing is sent.
   */
  decorate?(request: OutgoingRequest, connection: ConnectionFacts): OutgoingRequest;
  /**
   * Milliseconds to wait before the only retry of a request without a body, or undefined for none. Called for each response;
   * there is no retry after the call's timeout (60 s, or `Svc-Timeout`).
   */
  retryAfter?(status: number, headers: Readonly<Record<string, string>>): number | undefined;
}
