import type { ConnectionFacts } from './context.ts';

/** The head of the request about to leave. The body streams past; no rule may read it. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Deviations of proxied calls that `proxy` in provider.json cannot say. */
export interface ProxyRules {
  /** Last change to the request's head, after base URL and credentials are in place. */
  decorate?(request: OutgoingRequest, connection: ConnectionFacts): OutgoingRequest;
  /** Milliseconds to wait before the one retry of a bodiless request, or undefined for none. */
  retryAfter?(status: number, headers: Readonly<Record<string, string>>): number | undefined;
}
