import { createRequire } from 'node:module';

/** A request as the middleware receives it. The fake provider has authenticated it already, and supplies its session and body. */
export interface MiddlewareRequest {
  readonly query: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>>;
  readonly session?: object;
  /** The sender of the request: the OAuth app, or the person at the consent page. */
  readonly user?: unknown;
  readonly authInfo?: { readonly oauth: { callbackURL?: string; token?: string; verifier?: string } };
  oauth?: { readonly transactionID: string };
}

export interface MiddlewareResponse {
  setHeader(name: string, value: string): void;
  end(body?: string): void;
  redirect(location: string): void;
}

type Next = (error?: unknown) => void;
export type Middleware = (request: MiddlewareRequest, response: MiddlewareResponse, next: Next) => void;

type Done<T extends unknown[]> = (error: unknown, ...results: Partial<T>) => void;
/** A callback that takes the token, its secret, and additional fields of the response. */
type Issue = Done<[token: string | false, secret: string, members: Record<string, string>]>;

/** The parts of an OAuth 1.0 server (RFC 5849 §2) that `oauthorize` provides. */
interface OAuthServer {
  serializeClient(store: (client: string, done: Done<[string]>) => void): void;
  deserializeClient(load: (client: string, done: Done<[string]>) => void): void;
  requestToken(issue: (client: string, callback: string, done: Issue) => void): Middleware;
  userAuthorization(find: (token: string, done: Done<[client: string | false, callback: string]>) => void): Middleware;
  userDecision(
    options: object,
    parse: (request: MiddlewareRequest, done: Done<[{ allow: boolean }]>) => void,
    issue: (token: string, user: unknown, response: object, done: Done<[verifier: string]>) => void,
  ): readonly Middleware[];
  accessToken(
    verify: (token: string, verifier: string, done: Done<[boolean]>) => void,
    issue: (client: string, token: string, done: Issue) => void,
  ): Middleware;
}

/** The signature functions of `oauth-sign`, the library that `request` uses. */
interface OAuthSign {
  generateBase(method: string, uri: string, parameters: Readonly<Record<string, string | readonly string[]>>): string;
  sign(
    signatureMethod: string,
    ...request: [method: string, uri: string, parameters: object, consumerSecret: string, tokenSecret: string]
  ): string;
}

// Neither package has types.
const require = createRequire(import.meta.url);
export const createOAuthServer: () => OAuthServer = require('oauthorize').createServer;
export const oauthSign: OAuthSign = require('oauth-sign');
