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

/** Below this path the dashboard is in an environment of the account, which is looked up before the route is served. */
export const IN_ENVIRONMENT = '/api/ui/e/:env';

/**
 * Who may call a route. `public`: anyone. `{ scope }`: an API key that holds it, and with `orSession` also a connect session
 * token; with `inDashboard` there is the same route below `IN_ENVIRONMENT`, for members whom the scope's permission is given.
 * `{ session: true }`: a connect session token only. `{ session: 'query' }`: the same, in the query, since a browser that
 * navigates sends no headers of ours; or the deprecated public key there. `evenEnded`: also of a session that was used or has
 * expired. `{ dashboard }`: the cookie of somebody who is signed in and has that permission, and no API key at all.
 */
export type Access = ApiAccess | DashboardAccess;

export type ApiAccess =
  | 'public'
  | { readonly scope: Scope; readonly orSession?: true; readonly inDashboard?: never }
  | { readonly scope: EnvironmentScope; readonly orSession?: true; readonly inDashboard: true }
  | { readonly session: true | 'query'; readonly evenEnded?: true };

/** `anyone`: somebody who is about to sign in. */
export interface DashboardAccess {
  readonly dashboard: Permitted | 'anyone';
}

/** The responses of a route, by status. `type` is given where the response is not JSON. */
export interface ResponseSpec {
  readonly description: string;
  /** Absent on a status from 400: the error body all endpoints share. */
  readonly schema?: z.ZodType;
  readonly type?: string;
  /** Of a JSON response, for the documentation; a test holds it against the schema. Errors have a common one. */
  readonly example?: unknown;
  /** Headers that this response alone may have, and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler gets: parts already checked against the route's schemas. Never Koa's context. */
export interface RouteRequest<Params, Query, Body> {
  readonly requestId: string;
  /** Of the client, behind proxies that are trusted. */
  readonly address: string;
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** Of a route that writes `by-itself`: to be called in the transaction of its work, with its response. */
  readonly record: RecordResponse;
}

export interface RawBody {
  /** Unpacked where they came packed. */
  readonly bytes: Buffer;
  /** As they came, where `Content-Encoding` says that they are packed. */
  readonly packed?: Buffer | undefined;
}

/** The request of a route that takes any bytes: nothing of it has been checked, its body is not read before it is asked for. */
export interface RawRequest {
  /** In capitals. */
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  /** Lower-case names; repeated headers joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** @throws what `readBody` and `unpack` do; ServiceError `invalid_content_type` */
  readBody(): Promise<RawBody>;
  /** To be called when it is known who sent it: the body then no longer counts as one of strangers' (`body-budget.ts`). */
  markVerified(): void;
}

/** What a handler returns. An object body is sent as JSON; a string or bytes need a `type`. */
export interface Reply {
  /** Default 200, or 204 without a body. */
  readonly status?: number;
  readonly body?: unknown;
  readonly type?: string;
  /** `null`: without a header that responses otherwise have. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  /**
   * In place of a body, with a `type`: parts that are sent as they come. It ends when the signal is aborted: the client has gone,
   * or the process is about to end. What it throws resets the connection.
   */
  readonly stream?: (ended: AbortSignal) => AsyncIterable<string>;
}

/** What a browser gets in place of an error body. */
export type ErrorPage = (error: ServiceError, visit: BrowserVisit) => Reply;

/** Of a person. */
export interface BrowserVisit {
  readonly requestId: string;
  /** The header. */
  readonly acceptLanguage: string | undefined;
}

/**
 * What of a route's work is in one transaction with its recorded response. `in-transaction`: all of it; the handler finds the
 * transaction in place of the database. `by-itself`: what the handler says, by `record`, since it waits for others before.
 */
export type Writes = 'in-transaction' | 'by-itself';

/** Keeps the response that a repetition is to get; `trx` is the transaction of the work. Without a key it does nothing. */
export type RecordResponse = (trx: Knex, reply: Reply) => Promise<void>;

interface Described {
  /** Names the operation in the OpenAPI document and in clients made of it. Absent: made of the method and the path. */
  readonly operationId?: string;
  /** Kept for those who call it already; the documentation says so. */
  readonly deprecated?: true;
  readonly summary: string;
  readonly tag: string;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
}

/** An endpoint that sends whole responses. `handle` is a method so that routes with different schemas fit into one list. */
interface RouteSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, S> extends Described {
  readonly access: Access;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** `/connections/:connection_id`; one parameter a segment. */
  readonly path: string;
  /** Absent: every parameter is a text of 1 to 255 characters. */
  readonly params?: P;
  /** Absent: any query is refused. */
  readonly query?: Q;
  /** Absent: a body is refused. */
  readonly body?: B;
  /** Of the body, for the documentation; a test holds it against the schema. */
  readonly bodyExample?: unknown;
  /** Of the body. Default `MAX_BODY_BYTES`. */
  readonly maxBodyBytes?: number | ((services: S) => number);
  /** Set on what makes something new: it takes an `Idempotency-Key`. */
  readonly writes?: Writes;
  /** Set by `defineUpload`: the body is a form with one file. */
  readonly upload?: UploadSpec;
  /** Set by `defineRaw`: the body is the whole request as it came. `query` is for the documentation alone. */
  readonly isRaw?: true;
  /** Of a raw route that takes forms alone: the fields of one, for the documentation. */
  readonly formExample?: Readonly<Record<string, string>>;
  /** GET changes something: HEAD gets 200 and a prefetch 204, without authentication and without the handler. */
  readonly hasEffects?: true;
  /**
   * People visit it: a slash at the end leads to the page, and where `query` is absent any query is ignored. `tree`: so is every
   * address below, whose meaning only the page knows.
   */
  readonly isPage?: true | 'tree';
  /** Also told of every error that the request ends with, whoever threw it. `target` is that of the request line. */
  onRefusal?(
    services: S,
    cause: unknown,
    request: { readonly params: Readonly<Record<string, string>>; readonly target: string },
  ): void;
  /** Takes WebSocket upgrades at the path itself. The route is public. */
  readonly socket?: SocketSpec<S>;
  /** For routes that people visit: what a browser (`Accept` has `text/html`) gets in place of the error body. */
  readonly errorPage?: ErrorPage;
  handle(services: S, request: RouteRequest<z.output<P>, z.output<Q>, z.output<B>>): Promise<Reply>;
}

/** A route whose bodies stream: it gets the raw request and writes the response itself, for every method. No body parser runs. */
export interface StreamSpec<S> extends Described {
  readonly stream: true;
  readonly method: 'ANY';
  readonly access: 'public' | { readonly scope: Scope; readonly orSession?: never; readonly inDashboard?: never };
  /** `/proxy` stands for itself and for everything below `/proxy/`. */
  readonly path: string;
  /** What the handler reads of the request's headers; for the documentation alone. */
  readonly headers?: z.ZodObject;
  /** What it throws before the head of the response is out becomes the usual error response; later the connection is reset. */
  handle(services: S, exchange: StreamExchange): Promise<void>;
  /** Takes WebSocket upgrades below the path. Absent: the Upgrade header is ignored (RFC 9110 §7.8 allows that). */
  upgrade?(services: S, exchange: UpgradeExchange): Promise<void>;
}

interface RawExchange {
  readonly requestId: string;
  readonly caller: Caller;
  /** About the key's limit, names and values in turn; undefined: there is none. */
  readonly limitHeaders: readonly string[] | undefined;
  readonly request: IncomingMessage;
}

/**
 * Every header is up to the handler, `Svc-Request-Id` included: one that is set before the head is written makes Node take each
 * header of the response apart.
 */
export interface StreamExchange extends RawExchange {
  readonly response: ServerResponse;
  /** For a body that the handler holds in memory; to be disposed of by it. */
  openRoom(): BodyRoom;
}

/** Nothing has been written to `socket`. What the handler throws before it writes becomes the usual error response. */
export interface UpgradeExchange extends RawExchange {
  /** Of the client, behind proxies that are trusted. */
  readonly address: string;
  readonly socket: Duplex;
  /** The first bytes of the upgraded stream, if they came with the request. */
  readonly head: Buffer;
}

interface SocketSpec<S> {
  /** Where false, the Upgrade header is ignored (RFC 9110 §7.8 allows that). */
  isOffered(services: S): boolean;
  /** As `StreamSpec.upgrade`. */
  open(services: S, exchange: UpgradeExchange): Promise<void>;
}

/** The schemas' types are checked where the route is defined, and erased in the list of all routes. */
export type PlainRoute<S> = RouteSpec<z.ZodType, z.ZodType, z.ZodType, S>;
export type Route<S> = PlainRoute<S> | StreamSpec<S>;

/** Declares one endpoint. The same declaration makes the router, the validation and the OpenAPI document. */
export function defineRoute<
  S,
  P extends z.ZodType = z.ZodRecord<z.ZodString, z.ZodString>,
  Q extends z.ZodType = z.ZodObject,
  B extends z.ZodType = z.ZodUndefined,
>(spec: RouteSpec<P, Q, B, S>): PlainRoute<S> {
  return spec;
}

/**
 * Declares an endpoint for what others send as they like: any query, any type of body. Guessing addresses is slowed
 * down like guessing credentials: 404 responses count, too.
 */
export function defineRaw<S, P extends z.ZodType>(
  spec: Omit<RouteSpec<P, z.ZodType, z.ZodType<RawRequest>, S>, 'body' | 'isRaw'>,
): PlainRoute<S> {
  return { ...spec, isRaw: true };
}

/** Whether a request of it may have a body. */
export function takesBody<S>({ method, body, isRaw, upload }: PlainRoute<S>): boolean {
  if (method === 'GET' || method === 'OPTIONS') return false;
  return body !== undefined || isRaw === true || upload !== undefined;
}

/** Whether it takes an `Idempotency-Key`. Members of the dashboard send none. */
export function isRepeatable<S>({ writes, access }: PlainRoute<S>): boolean {
  return writes !== undefined && !(typeof access === 'object' && 'dashboard' in access);
}

/** Declares an endpoint that takes a file of a form; the handler gets its bytes. */
export function defineUpload<S, P extends z.ZodType>(
  spec: Omit<RouteSpec<P, z.ZodObject, z.ZodType<Buffer>, S>, 'body'> & { readonly upload: UploadSpec },
): PlainRoute<S> {
  return spec;
}

/** Declares everything below a path, for every method, as one stream. */
export function defineStream<S>(spec: Omit<StreamSpec<S>, 'stream' | 'method'>): StreamSpec<S> {
  return { ...spec, stream: true, method: 'ANY' };
}

export function isStream<S>(route: Route<S>): route is StreamSpec<S> {
  return 'stream' in route;
}

export function isInEnvironment(path: string): boolean {
  return path.startsWith(`${IN_ENVIRONMENT}/`);
}

/** Those that members have as well, at their addresses in the dashboard. */
export function inDashboard<S>(routes: readonly Route<S>[]): readonly PlainRoute<S>[] {
  return routes.flatMap((route) => {
    if (isStream(route)) return [];
    const { access } = route;
    if (typeof access !== 'object' || !('scope' in access) || !access.inDashboard) return [];
    return [{ ...route, path: `${IN_ENVIRONMENT}${route.path}`, access: { dashboard: access.scope } }];
  });
}
