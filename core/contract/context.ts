import type { TokenSet } from './credentials.ts';

/** Any JSON value, as read: never changed in place. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
/** A JSON object, as read: never changed in place. */
export type JsonObject = { readonly [key: string]: Json };

/** What a plugin may know of a connection. A snapshot: changing it changes nothing. */
export interface ConnectionFacts {
  readonly connectionId: string;
  readonly integrationId: string;
  readonly provider: string;
  readonly connectionConfig: JsonObject;
  readonly metadata: JsonObject;
  readonly tags: Readonly<Record<string, string>>;
}

/** What a hook gets. Everything it may do to the world is in here; there is no other door. */
export interface HookContext {
  readonly connection: ConnectionFacts;
  readonly integrationConfig: JsonObject;
  /** Fresh when the hook starts; not refreshed while it runs. */
  readonly tokens: TokenSet;
  /** What `subscribe` or `renew` returned last; `{}` before. Metadata, import and re-authorization leave it alone. */
  readonly subscription: JsonObject;
  /** `fetch` with a deadline, a 1 MiB answer limit, no redirects, and no access to private addresses. */
  readonly fetch: (url: URL | string, init?: RequestInit) => Promise<Response>;
  /** Aborts when the hook's time is over (default 10 s) or the caller has gone. */
  readonly signal: AbortSignal;
  readonly log: (message: string, facts?: JsonObject) => void;
}
