import type { TokenSet } from './credentials.ts';

/** Any JSON value, immutable. */
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

/** The argument of hooks, and their only access to the outside. */
export interface HookContext {
  readonly connection: ConnectionFacts;
  readonly integrationConfig: JsonObject;
  /** Valid when the hook starts; not refreshed while it runs. */
  readonly tokens: TokenSet;
  /** The last result of `subscribe` or `renew`; `{}` before. Not changed by metadata, imports and reauthorization. */
  readonly subscription: JsonObject;
  /** `fetch` with a timeout, responses up to 1 MiB, no redirects, and no access to private addresses. */
  readonly fetch: (url: URL | string, init?: RequestInit) => Promise<Response>;
  /** Aborts after the hook's timeout (default 10 s), or when the caller disconnects. */
  readonly signal: AbortSignal;
  readonly log: (message: string, facts?: JsonObject) => void;
}
