/**
 * What scripts are written against. Nothing here exists at run time, so import types only:
 *
 *     import type { Svc } from './script.d.ts';
 *     export default async function (svc: Svc): Promise<void> { … }
 */

/**
 * What JSON can hold. Everything that goes in or out of a script is such data. An integer beyond 2^53, which a number of JavaScript
 * would change, is a string of its digits, wherever it comes from: provider, metadata, record or webhook.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined };
export type JsonObject = { readonly [name: string]: Json | undefined };

/** Everything acts for the connection of the run alone. */
export interface Svc {
  readonly connectionId: string;
  readonly providerConfigKey: string;

  /** The integration's record, with the addresses and the secret of its incoming webhooks. */
  getIntegration(): Promise<
    JsonObject & {
      /** One for all connections. */
      readonly webhook_url: string;
      /** The same with this connection's ID, and a proof that it was made here. */
      readonly connection_webhook_url: string;
      readonly webhook_secret: string | null;
    }
  >;
  /** The connection's record, without credentials. */
  getConnection(): Promise<JsonObject>;
  getMetadata(): Promise<JsonObject>;
  /** Replaces the metadata. */
  setMetadata(metadata: JsonObject): Promise<JsonObject>;
  /** Replaces the named members, and keeps the others. */
  updateMetadata(metadata: JsonObject): Promise<JsonObject>;
  /** A variable of the environment (`svc env set --variable NAME=value`); null when there is none of that name. */
  getVariable(name: string): Promise<string | null>;

  /**
   * Calls the provider's API with the connection's credentials.
   *
   * @throws {ScriptError} with `status` when the provider responds with 400 or more
   */
  proxy(request: ProxyRequest & { readonly method?: string }): Promise<ProxyResponse>;
  get(request: ProxyRequest): Promise<ProxyResponse>;
  post(request: ProxyRequest): Promise<ProxyResponse>;
  put(request: ProxyRequest): Promise<ProxyResponse>;
  patch(request: ProxyRequest): Promise<ProxyResponse>;
  delete(request: ProxyRequest): Promise<ProxyResponse>;

  /** A line in the log of the run. Long lines and long logs are cut, with a mark. */
  log(message: unknown, facts?: JsonObject): void;
  readonly console: ScriptConsole;

  /** Throw one to refuse: in `validate-connection` its message is shown to the person who connects. */
  readonly ScriptError: ScriptErrorConstructor;
}

export interface ProxyRequest {
  /** Path below the provider's base URL. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  readonly data?: Json;
  readonly retries?: number;
}

export interface ProxyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON parsed; anything else as text. */
  readonly data: Json;
}

export interface ScriptError extends Error {
  /** Of the provider's response, if there was one. */
  readonly status?: number;
  /** What kind of refusal: `provider_error`, `not_available`, `too_many_calls`, … */
  readonly code?: string;
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
  readonly type: string;
  readonly payload: Json;
  /** The payload's JSON is larger than 1 MiB: `payload` is null. */
  readonly truncated?: true;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the signature was right. */
  readonly verified: boolean;
}

export interface ScriptConsole {
  debug(...values: unknown[]): void;
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
}
