import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Knex } from 'knex';
import type * as z from 'zod';
import type { ServiceError } from '../errors.ts';
import type { Scope } from '../tenants/api-keys/scopes.ts';
import type { EnvironmentScope, Permitted } from '../tenants/members/permissions.ts';
import type { Caller } from './access/caller.ts';
import type { BodyRoom } from './bodies/body-budget.ts';
import type { UploadSpec } from './bodies/upload.ts';

/** The path prefix of dashboard routes that act in an environment of the account, which is looked up before the route is served. */
export const IN_ENVIRONMENT = '/api/ui/e/:env';

/**
 * The callers that a route admits. `public`: anyone. `{ scope }`: an API key with that scope; with `orSession` also a connect
 * session token; with `inDashboard` the same route also exists below `IN_ENVIRONMENT`, for members who have the scope's permission.
 * `{ session: true }`: a connect session token only. `{ session: 'query' }`: such a token in the query, since a browser that
 * navigates cannot send the service's headers; or the deprecated public key in the query. `evenEnded`: also the token of a session
 * that was used or has expired. `{ dashboard }`: the cookie of a signed-in member who has that permission; API keys are not
 * admitted.
 */
export type Access = ApiAccess | DashboardAccess;

export type ApiAccess =
  | 'public'
  | { readonly scope: Scope; readonly orSession?: true; readonly inDashboard?: never }
  | { readonly scope: EnvironmentScope; readonly orSession?: true; readonly inDashboard: true }
  | { readonly session: true | 'query'; readonly evenEnded?: true };

/** Access by the dashboard's cookie. `anyone`: also somebody who is about to sign in. */
export interface DashboardAccess {
  readonly dashboard: Permitted | 'anyone';
}

/** The response of a route with one status. `type` is set where the response is not JSON. */
export interface ResponseSpec {
  readonly description: string;
  /** The schema of a JSON response. Absent for a status from 400 on, which has the error body that all endpoints share. */
  readonly schema?: z.ZodType;
  readonly type?: string;
  /** An example of a JSON response, for the documentation; a test checks it against the schema. Errors share one per status. */
  readonly example?: unknown;
  /** Headers that only this response may have, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The input of a handler: parts that were checked against the route's schemas. Never Koa's context. */
export interface RouteRequest<Params, Query, Body> {
  readonly requestId: string;
  /** The IP address of the client, determined through trusted proxies. */
  readonly address: string;
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** Records the response. A route that writes `by-itself` must call it in the transaction of its work. */
  readonly record: RecordResponse;
}

export interface RawBody {
  /** The body, decompressed if it came compressed. */
  readonly bytes: Buffer;
  /** The bytes as received, if `Content-Encoding` says that they are compressed. */
  readonly packed?: Buffer | undefined;
}

/**
 * The request of a route that accepts any bytes: no part of it has been checked, and the body is read only when the handler
 * requests it.
 */
export interface RawRequest {
  /** In upper case. */
  readonly method: string;
  /** The path and query as received. */
  readonly target: string;
  /** The headers by lower-case name; repeated ones are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** @throws as `readBody` and `unpack` do; ServiceError `invalid_content_type` for an unsupported `Content-Encoding` */
  readBody(): Promise<RawBody>;
  /**
   * To be called when the sender has been verified: the body then no longer counts as one of an unknown sender (`body-budget.ts`).
   */
  markVerified(): void;
}

/** The return value of a handler. An object body is sent as JSON; a string or bytes need a `type`. */
export interface Reply {
  /** Default: 200, or 204 without a body. */
  readonly status?: number;
  readonly body?: unknown;
  readonly type?: string;
  /** `null` removes a header that responses have by default. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  /**
   * The body as parts that are sent as they are produced, in place of `body`; needs a `type`. It must end when the signal is
   * aborted, since the client has gone or the process is about to end. An error that it throws resets the socket.
   */
  readonly stream?: (ended: AbortSignal) => AsyncIterable<string>;
}

/** Returns the page that a browser gets in place of an error body. */
export type ErrorPage = (error: ServiceError, visit: BrowserVisit) => Reply;

/** The request of a person's browser, as far as an error page needs it. */
export interface BrowserVisit {
  readonly requestId: string;
  /** The value of the header `Accept-Language`. */
  readonly acceptLanguage: string | undefined;
}

/**
 * The part of a route's work that is committed in one transaction with its recorded response. `in-transaction`: all of it; the
 * handler gets the transaction in place of the database. `by-itself`: the part that the handler chooses, by calling `record`,
 * since it first waits for calls to providers.
 */
export type Writes = 'in-transaction' | 'by-itself';

/**
 * Stores the response that a repetition of the request gets; `trx` is the transaction of the work. Does nothing for a request
 * without an `Idempotency-Key`.
 */
export type RecordResponse = (trx: Knex, reply: Reply) => Promise<void>;

interface Described {
  /** The operation's name in the OpenAPI document and in clients generated from it. Default: built from the method and the path. */
  readonly operationId?: string;
  /** Set for a route that is kept for existing callers only; the documentation says so. */
  readonly deprecated?: true;
  readonly summary: string;
  readonly tag: string;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
}

/**
 * An endpoint that sends whole responses. `handle` is declared as a method so that routes with different schemas fit into one list.
 */
interface RouteSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, S> extends Described {
  readonly access: Access;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Such as `/connections/:connection_id`; each segment has at most one parameter. */
  readonly path: string;
  /** Absent: every parameter is a text of 1 to 255 characters. */
  readonly params?: P;
  /** Absent: any query parameter is refused. */
  readonly query?: Q;
  /** Absent: a body is refused. */
  readonly body?: B;
  /** An example of the body, for the documentation; a test checks it against the schema. */
  readonly bodyExample?: unknown;
  /** Maximum size of the body. Default: `MAX_BODY_BYTES`. */
  readonly maxBodyBytes?: number | ((services: S) => number);
  /** Set for a route that creates something: it accepts an `Idempotency-Key`. */
  readonly writes?: Writes;
  /** Set by `defineUpload`: the body is a form with one file. */
  readonly upload?: UploadSpec;
  /** Set by `defineRaw`: the body is the whole request as received. `query` then serves the documentation only. */
  readonly isRaw?: true;
  /** Example fields of a raw route that accepts only forms, for the documentation. */
  readonly formExample?: Readonly<Record<string, string>>;
  /** Set where GET changes something: HEAD gets 200 and a prefetch 204, without authentication and without calling the handler. */
  readonly hasEffects?: true;
  /**
   * Set for a page that people visit: an address with a slash at the end redirects to the page, and any query is ignored if `query`
   * is absent. `tree`: all addresses below serve the page, too; only the page knows what they mean.
   */
  readonly isPage?: true | 'tree';
  /** Called with every error that ends the request, wherever it was thrown. `target` is the target of the request line. */
  onRefusal?(
    services: S,
    cause: unknown,
    request: { readonly params: Readonly<Record<string, string>>; readonly target: string },
  ): void;
  /** Accepts WebSocket upgrades at exactly this path, without authentication. */
  readonly socket?: SocketSpec<S>;
  /** For routes that people visit: the page that a browser (`Accept` has `text/html`) gets in place of the error body. */
  readonly errorPage?: ErrorPage;
  handle(services: S, request: RouteRequest<z.output<P>, z.output<Q>, z.output<B>>): Promise<Reply>;
}

/**
 * A route whose bodies are streamed: for every method, it gets the raw request and writes the response itself. No body parser runs.
 */
export interface StreamSpec<S> extends Described {
  readonly stream: true;
  readonly method: 'ANY';
  readonly access: 'public' | { readonly scope: Scope; readonly orSession?: never; readonly inDashboard?: never };
  /** `/proxy` covers itself and everything below `/proxy/`. */
  readonly path: string;
  /** The request headers that the handler reads; for the documentation only. */
  readonly headers?: z.ZodObject;
  /** An error thrown before the head of the response is sent becomes the usual error response; later the socket is reset. */
  handle(services: S, exchange: StreamExchange): Promise<void>;
  /** Accepts WebSocket upgrades below the path. Absent: the Upgrade header is ignored (RFC 9110 §7.8 allows that). */
  upgrade?(services: S, exchange: UpgradeExchange): Promise<void>;
}

interface RawExchange {
  readonly requestId: string;
  readonly caller: Caller;
  /** Headers about the API key's rate limit, names and values in turn; undefined when there is no limit. */
  readonly limitHeaders: readonly string[] | undefined;
  readonly request: IncomingMessage;
}

/**
 * The handler sets every header itself, `Svc-Request-Id` included: a header that is set before the head is written makes Node parse
 * each header of the response.
 */
export interface StreamExchange extends RawExchange {
  readonly response: ServerResponse;
  /** Reserves memory for the body, if the handler holds it there; undefined when the request has none. */
  readonly room: BodyRoom | undefined;
}

/**
 * An upgrade request. Nothing has been written to `socket`; an error that the handler throws before it writes becomes the usual
 * error response.
 */
export interface UpgradeExchange extends RawExchange {
  /** The IP address of the client, determined through trusted proxies. */
  readonly address: string;
  readonly socket: Duplex;
  /** The first bytes of the upgraded stream, if they came with the request. */
  readonly head: Buffer;
}

interface SocketSpec<S> {
  /** If false, the Upgrade header is ignored (RFC 9110 §7.8 allows that). */
  isOffered(services: S): boolean;
  /** Handles an upgrade like `StreamSpec.upgrade`. */
  open(services: S, exchange: UpgradeExchange): Promise<void>;
}

/** A route without the types of its schemas: they are checked where it is defined, and erased in the list of all routes. */
export type PlainRoute<S> = RouteSpec<z.ZodType, z.ZodType, z.ZodType, S>;
export type Route<S> = PlainRoute<S> | StreamSpec<S>;

/** Declares one endpoint. The router, the validation and the OpenAPI document are built from the same declaration. */
export function defineRoute<
  S,
  P extends z.ZodType = z.ZodRecord<z.ZodString, z.ZodString>,
  Q extends z.ZodType = z.ZodObject,
  B extends z.ZodType = z.ZodUndefined,
>(spec: RouteSpec<P, Q, B, S>): PlainRoute<S> {
  return spec;
}

/**
 * Declares an endpoint whose requests may have any query and any type of body. Guessing its addresses is slowed down like guessing
 * credentials: 404 responses count as refusals, too.
 */
export function defineRaw<S, P extends z.ZodType>(
  spec: Omit<RouteSpec<P, z.ZodType, z.ZodType<RawRequest>, S>, 'body' | 'isRaw'>,
): PlainRoute<S> {
  return { ...spec, isRaw: true };
}

/** Returns whether requests to the route may have a body. */
export function takesBody<S>({ method, body, isRaw, upload }: PlainRoute<S>): boolean {
  if (method === 'GET' || method === 'OPTIONS') return false;
  return body !== undefined || isRaw === true || upload !== undefined;
}

/** Returns whether the route accepts an `Idempotency-Key`. Members of the dashboard send none. */
export function isRepeatable<S>({ writes, access }: PlainRoute<S>): boolean {
  return writes !== undefined && !(typeof access === 'object' && 'dashboard' in access);
}

/** Declares an endpoint that accepts a form with one file; the handler gets the file's bytes. */
export function defineUpload<S, P extends z.ZodType>(
  spec: Omit<RouteSpec<P, z.ZodObject, z.ZodType<Buffer>, S>, 'body'> & { readonly upload: UploadSpec },
): PlainRoute<S> {
  return spec;
}

/** Declares a stream that handles everything below a path, for every method. */
export function defineStream<S>(spec: Omit<StreamSpec<S>, 'stream' | 'method'>): StreamSpec<S> {
  return { ...spec, stream: true, method: 'ANY' };
}

export function isStream<S>(route: Route<S>): route is StreamSpec<S> {
  return 'stream' in route;
}

export function isInEnvironment(path: string): boolean {
  return path.startsWith(`${IN_ENVIRONMENT}/`);
}

/** Returns the routes that members can call, too, at their paths in the dashboard. */
export function inDashboard<S>(routes: readonly Route<S>[]): readonly PlainRoute<S>[] {
  return routes.flatMap((route) => {
    if (isStream(route)) return [];
    const { access } = route;
    if (typeof access !== 'object' || !('scope' in access) || !access.inDashboard) return [];
    return [{ ...route, path: `${IN_ENVIRONMENT}${route.path}`, access: { dashboard: access.scope } }];
  });
}
