import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../errors.ts';
import type { HttpDeps } from '../deps.ts';
import type { Access } from '../route.ts';
import { authenticateMember } from './authenticate-member.ts';
import { ANYONE, type Caller } from './caller.ts';
import { callerInQuery } from './caller-in-query.ts';
import { consume } from './key-limit.ts';
import { requireLive } from './live-session.ts';
import { requireScope } from './require-scope.ts';

interface AuthenticationRequest {
  readonly access: Access;
  readonly request: IncomingMessage;
  /** The name in a path of the dashboard; undefined for other paths. */
  readonly environmentName: string | undefined;
  /** Gets the headers about the rate limit of the API key, which every response to the request carries. */
  readonly onLimit: (headers: readonly string[]) => void;
}

const SESSION_PREFIX = 'svc_connect_session_';
// RFC 9110 §11.1: the name of a scheme is case-insensitive.
const BEARER = /^bearer +([\x21-\x7e]{1,1024})$/i;

/**
 * Authenticates a request.
 *
 * A valid credential is accepted regardless of how many invalid ones came from the same address: behind a proxy that is not
 * declared in `SVC_TRUSTED_PROXIES` all callers share one address, and any of them could lock out the others.
 *
 * @throws ServiceError 401 without a valid credential, 403 if it does not permit the request; `too_many_request` above the limit
 *   of the key, and in place of a 401 above the limit of refusals
 */
export async function authenticateRequest(
  deps: HttpDeps,
  { access, request, environmentName, onLimit }: AuthenticationRequest,
): Promise<Caller> {
  if (access === 'public') return ANYONE;
  if ('dashboard' in access) {
    const asked = { access, request, environmentName };
    return countRefusals(deps, { request, statuses: UNAUTHORIZED }, () => authenticateMember(deps, asked));
  }
  if ('session' in access || (access.orSession && hasSessionToken(request))) return authenticateSession(deps, access, request);
  const caller = await authenticateKey(deps, request);
  if (deps.keyLimit !== undefined) consume(deps.keyLimit, caller, onLimit);
  requireScope(caller, access.scope);
  return caller;
}

/**
 * Authenticates a request by its API key.
 *
 * @throws ServiceError 401 without a valid key; `too_many_request` in place of a 401 above the limit of refusals
 */
export function authenticateKey(deps: HttpDeps, request: IncomingMessage): Promise<Caller> {
  return countRefusals(deps, { request, statuses: UNAUTHORIZED }, async () => {
    const token = readBearer(request.headers.authorization);
    // A session token where a key is required is refused like any other text that is not a key.
    const isSession = token.startsWith(SESSION_PREFIX);
    const caller = isSession ? undefined : await deps.authenticator.apiKey(token);
    return caller ?? refuseToken('unknown_account', 'the API key is unknown or has been revoked');
  });
}

function authenticateSession(deps: HttpDeps, access: Access, request: IncomingMessage): Promise<Caller> {
  const { authenticator } = deps;
  return countRefusals(deps, { request, statuses: UNAUTHORIZED }, async () => {
    if (typeof access === 'object' && 'session' in access && access.session === 'query')
      return callerInQuery(authenticator, request.url ?? '', { takesEnded: takesEnded(access) });
    const token = readBearer(request.headers.authorization);
    const caller = token.startsWith(SESSION_PREFIX) ? await authenticator.sessionToken(token) : undefined;
    if (caller === undefined) return refuseToken('unknown_connect_session_token', 'the connect session token is unknown');
    if (!takesEnded(access)) requireLive(caller);
    return caller;
  });
}

function takesEnded(access: Access): boolean {
  return typeof access === 'object' && 'session' in access && access.evenEnded === true;
}

function hasSessionToken({ headers }: IncomingMessage): boolean {
  return BEARER.exec(headers.authorization ?? '')?.[1]?.startsWith(SESSION_PREFIX) === true;
}

export const UNAUTHORIZED: ReadonlySet<number> = new Set([401]);
/** The statuses that count as refusals at URLs that are themselves secret, so that nobody finds these by trying. */
export const GUESSABLE: ReadonlySet<number> = new Set([401, 404]);

interface Refusals {
  readonly request: IncomingMessage;
  readonly statuses: ReadonlySet<number>;
}

/**
 * Runs the work and, if it ends with one of the statuses, counts a refusal for the client's address. Other requests do not count.
 *
 * @throws ServiceError `too_many_request` in place of the refusal above the limit
 */
export async function countRefusals<T>(deps: HttpDeps, { request, statuses }: Refusals, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && statuses.has(error.status)) countFailure(deps, request);
    throw error;
  }
}

/**
 * Returns the credential of an `Authorization` header.
 *
 * @throws ServiceError `missing_auth_header`; `malformed_auth_header` unless it is `Bearer` with a credential
 */
export function readBearer(header: string | undefined): string {
  if (header === undefined) return refuseToken('missing_auth_header', 'send the header "Authorization: Bearer <key>"');
  const token = BEARER.exec(header)?.[1];
  return token ?? refuseToken('malformed_auth_header', 'the Authorization header must be "Bearer <key>"');
}

function refuseToken(
  code: 'missing_auth_header' | 'malformed_auth_header' | 'unknown_account' | 'unknown_connect_session_token',
  message: string,
): never {
  throw new ServiceError(code, message);
}

function countFailure({ failures, clientAddress }: HttpDeps, request: IncomingMessage): void {
  const { retryAfterSeconds } = failures.consume(clientAddress(request));
  if (retryAfterSeconds === undefined) return;
  throw new ServiceError('too_many_request', 'too many requests without a valid credential came from this address', {
    retryAfterSeconds,
  });
}
