import type { TokenSet } from './credentials.ts';

/** Any JSON value, immutable. A number that JavaScript cannot represent exactly is an `ExactNumber` instead. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
/** A JSON object, immutable. */
export type JsonObject = { readonly [key: string]: Json };

/** A connection as plugins see it. A snapshot: changes to it have no effect. */
export interface ConnectionFacts {
  readonly connectionId: string;
  readonly integrationId: string;
  readonly provider: string;
  readonly connectionConfig: JsonObject;
  readonly metadata: JsonObject;
  readonly tags: Readonly<Record<string, string>>;
}

/** The app by which a connection is authorized: the integration's, or one that only this connection uses. */
export interface ClientFacts {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The argument of hooks, and their only access to the network and to data. */
export interface HookContext {
  readonly connection: ConnectionFacts;
  readonly integrationConfig: JsonObject;
  /** The credentials; valid when the hook starts, and not refreshed while it runs. */
  readonly tokens: TokenSet;
  /**
   * The last result of `subscribe` or `renew`; `{}` before the first one. Metadata, imports and reauthorization do not change
   * it.
   */
  readonly subscription: JsonObject;
  /** `fetch` with a timeout, responses up to 1 MiB, no redirects, and no access to private addresses. */
  readonly fetch: (url: URL | string, init?: RequestInit) => Promise<Response>;
  /** Aborts after the hook's timeout (default 10 s), or when the caller disconnects. */
  readonly signal: AbortSignal;
  readonly log: (message: string, facts?: JsonObject) => void;
}

/** The argument of hooks that obtain the first credentials of a connection. */
export interface AuthContext extends Omit<RefreshContext, 'connection' | 'tokens' | 'subscription'> {
  readonly connection: Pick<ConnectionFacts, 'integrationId' | 'provider' | 'connectionConfig'>;
}

/** The argument of `auth.refresh`. */
export interface RefreshContext extends HookContext {
  readonly client: ClientFacts;
  /**
   * The time at which the hook was called, by the clock that also decides whether tokens have expired: count lifetimes from here.
   */
  readonly now: Date;
}
