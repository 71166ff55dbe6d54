/**
 * Types for scripts. Nothing here exists at run time, so import types only:
 *
 *     import type { Svc } from './script.d.ts';
 *     export default async function (svc: Svc): Promise<void> { … }
 */

/**
 * A value that JSON can hold. All data that enters or leaves a script is of this kind. An integer beyond 2^53, which a number of
 * JavaScript would change, is a string of its digits, whether it comes from the provider, the metadata, a record or a webhook.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined };
export type JsonObject = { readonly [name: string]: Json | undefined };

/** The functions and data of the service for a script. All of them act only for the connection of the run. */
export interface Svc {
  /** The ID of the connection of the run. */
  readonly connectionId: string;
  /** The `unique_key` of its integration. */
  readonly providerConfigKey: string;

  /** The integration's record, with the addresses and the secret of its incoming webhooks. */
  getIntegration(): Promise<
    JsonObject & {
      /** The URL for webhooks of all connections. */
      readonly webhook_url: string;
      /** The same URL with this connection's ID and a proof that the service created it. */
      readonly connection_webhook_url: string;
      /** The secret that signs webhooks, or null if the integration has none. */
      readonly webhook_secret: string | null;
    }
  >;
  /** The connection's record, without credentials. */
  getConnection(): Promise<JsonObject>;
  /** Returns the connection's metadata. */
  getMetadata(): Promise<JsonObject>;
  /** Replaces the connection's metadata. */
  setMetadata(metadata: JsonObject): Promise<JsonObject>;
  /** Replaces the named fields of the connection's metadata, and keeps the others. */
  updateMetadata(metadata: JsonObject): Promise<JsonObject>;
  /** Returns a variable of the environment (`svc env set --variable NAME=value`), or null if there is none of that name. */
  getVariable(name: string): Promise<string | null>;

  /**
   * Calls the provider's API with the connection's credentials.
   *
   * @throws {ScriptError} with `status` when the provider responds with a status of 400 or more
   */
  proxy(
    request: ProxyRequest & {
      /** Default: `GET`. */
      readonly method?: string;
    },
  ): Promise<ProxyResponse>;
  /** Calls the provider's API as `proxy` does, with the method GET. */
  get(request: ProxyRequest): Promise<ProxyResponse>;
  /** Calls the provider's API as `proxy` does, with the method POST. */
  post(request: ProxyRequest): Promise<ProxyResponse>;
  /** Calls the provider's API as `proxy` does, with the method PUT. */
  put(request: ProxyRequest): Promise<ProxyResponse>;
  /** Calls the provider's API as `proxy` does, with the method PATCH. */
  patch(request: ProxyRequest): Promise<ProxyResponse>;
  /** Calls the provider's API as `proxy` does, with the method DELETE. */
  delete(request: ProxyRequest): Promise<ProxyResponse>;

  /** Writes a line to the log of the run. Long lines and long logs are truncated, with a note. */
  log(message: unknown, facts?: JsonObject): void;
  /** Writes to the log of the run, as the global `console` does. */
  readonly console: ScriptConsole;

  /**
   * The error that a script throws in order to refuse something. In `validate-connection`, its message is shown to the person who
   * connects.
   */
  readonly ScriptError: ScriptErrorConstructor;
}

export interface ProxyRequest {
  /** Path below the provider's base URL. */
  readonly endpoint: string;
  /** Headers in addition to those of the credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The query. */
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  /** The body. A text is sent unchanged, anything else as JSON. */
  readonly data?: Json;
  /** How often a failed call is repeated. Default: 0. */
  readonly retries?: number;
}

export interface ProxyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; anything else is text. */
  readonly data: Json;
}

export interface ScriptError extends Error {
  /** The status of the provider's response, if there was one. */
  readonly status?: number;
  /** The kind of refusal: `provider_error`, `not_available`, `too_many_calls`, … */
  readonly code?: string;
  /** The provider's response, if there was one. */
  readonly response?: ProxyResponse;
}

export interface ScriptErrorConstructor {
  new (
    message: string,
    options?: { readonly status?: number; readonly code?: string; readonly response?: ProxyResponse; readonly cause?: unknown },
  ): ScriptError;
  readonly prototype: ScriptError;
}

/** The second argument of `onWebhook`. */
export interface WebhookEvent {
  /** The type of the event as the provider names it. Empty if it names none. */
  readonly type: string;
  /** The content of the event. */
  readonly payload: Json;
  /** Set if the payload was omitted because its JSON is larger than 1 MiB; then `payload` is null. */
  readonly truncated?: true;
  /** Those headers of the provider's request that are forwarded. */
  readonly headers: Readonly<Record<string, string>>;
  /** True if the provider's signature was valid. */
  readonly verified: boolean;
}

export interface ScriptConsole {
  debug(...values: unknown[]): void;
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
}
