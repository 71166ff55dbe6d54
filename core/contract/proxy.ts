import type { ConnectionFacts, JsonObject } from './context.ts';
import type { TokenSet } from './credentials.ts';

/** A request about to be sent, without its body, which is streamed. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names, without those that frame the message; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A request that is complete except for its signature. */
export interface SignableRequest extends OutgoingRequest {
  /** The body, present if `signsBody` returns true; empty if the request has none. */
  readonly body?: Uint8Array;
  /** The time with which the request is signed. */
  readonly at: Date;
}

/** The values from which a signature is created. */
export interface SigningCredentials {
  /** The tokens; in modes without a token response, `raw` holds what the user entered. */
  readonly tokens: TokenSet;
  readonly connectionConfig: JsonObject;
  readonly integrationConfig: JsonObject;
}

/** The headers and query parameters that a signature adds to its request; existing ones of the same names are replaced. */
export interface RequestSignature {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** Deviations of proxied calls that `proxy` in provider.json cannot express. */
export interface ProxyRules {
  /**
   * Modifies URL and headers after base URL and credentials are set; called for each attempt. Changing the method, the framing,
   * or the host to one that is not the provider's is a bug, and nothing is sent.
   */
  decorate?(request: OutgoingRequest, connection: ConnectionFacts): OutgoingRequest;
  /**
   * Signs each attempt of a proxied request, after `decorate`, and the calls that the definition declares, such as its
   * verification. The header of the auth mode is then left out, so that the credentials are used for the signature only.
   */
  sign?(request: SignableRequest, credentials: SigningCredentials): RequestSignature;
  /** Returns whether the signature covers the body, which is then held in memory: up to 1 MiB, else 413. Default: false. */
  signsBody?(request: OutgoingRequest): boolean;
  /**
   * Returns the milliseconds to wait before the only retry of a request without a body, or undefined for none. Called for each
   * response; there is no retry after the call's timeout (60 s, or `Svc-Timeout`).
   */
  retryAfter?(status: number, headers: Readonly<Record<string, string>>): number | undefined;
}
