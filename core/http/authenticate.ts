import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.ts';
import type { FixedWindow } from '../kit/fixed-window.ts';
import type { Caller } from './caller.ts';
import { callerInQuery } from './caller-in-query.ts';
import { consume } from './key-limit.ts';
import { requireScope } from './require-scope.ts';
import type { Access } from './route.ts';

/** Tells whose a credential is; undefined when it is nobody's (unknown, revoked, expired). */
export interface Authenticator {
  /** @param sender what the request came on, and others of the same sender come on */
  apiKey(secret: string, sender: object): Promise<Caller | undefined>;
  sessionToken(token: string): Promise<Caller | undefined>;
  /** The deprecated public key of an environment; absent: `SVC_LEGACY_PUBLIC_KEY` is off. */
  publicKey?(key: string): Promise<Caller | undefined>;
}

export interface DoorDeps {
  readonly authenticator: Authenticator;
  /** Of refused credentials, per client address. */
  readonly failures: FixedWindow;
  readonly clientAddress: (request: IncomingMessage) => string;
  /** Of requests per API key; absent: there is no limit. */
  readonly keyLimit?: FixedWindow | undefined;
}

/** A request at the door. */
export interface Arrival {
  readonly access: Access;
  readonly request: IncomingMessage;
  /** Gets the headers that tell of the key's limit: every answer to the request carries them. */
  readonly tellLimit: (headers: readonly string[]) => void;
}

const ANYONE: Caller = { kind: 'anyone' };
const SESSION_PREFIX = 'svc_connect_session_';
// RFC 9110 §11.1: the name of a scheme has no case.
const BEARER = /^bearer +([\x21-\x7e]{1,1024})$/i;

/**
 * Lets a request in, or says why not.
 *
 * A right credential is served however many wrong ones came from the same address: behind a proxy that is not declared in
 * `SVC_TRUSTED_PROXIES` all callers share one address, and any of them could lock out the others.
 *
 * @throws ServiceError 401 and 403; `too_many_request` above the limit of the key, and in place of the 401s above theirs
 */
export async function authenticateRequest(deps: DoorDeps, arrival: Arrival): Promise<Caller> {
  const { access, request } = arrival;
  if (access === 'public') return ANYONE;
  const isInQuery = 'session' in access && access.session === 'query';
  return countRefusals(deps, { request, statuses: UNAUTHORIZED }, () =>
    isInQuery ? callerInQuery(deps.authenticator, request.url ?? '') : callerOf(deps, access, arrival),
  );
}

export const UNAUTHORIZED: ReadonlySet<number> = new Set([401]);
/** Of addresses that are secret themselves: not to be found by trying. */
export const GUESSABLE: ReadonlySet<number> = new Set([401, 404]);

interface Refusals {
  readonly request: IncomingMessage;
  readonly statuses: ReadonlySet<number>;
}

/**
 * Does the work and counts the refusal it may end with. Whoever is not refused is never in the way of this limit.
 *
 * @throws ServiceError `too_many_request` in place of the refusal above the limit
 */
export async function countRefusals<T>(deps: DoorDeps, { request, statuses }: Refusals, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && statuses.has(error.status)) countFailure(deps, request);
    throw error;
  }
}

async function callerOf(
  { authenticator, keyLimit }: DoorDeps,
  access: Exclude<Access, 'public'>,
  { request: { headers, socket }, tellLimit }: Arrival,
): Promise<Caller> {
  const token = readBearer(headers.authorization);
  if ('session' in access || ('orSession' in access && token.startsWith(SESSION_PREFIX))) {
    const caller = token.startsWith(SESSION_PREFIX) ? await authenticator.sessionToken(token) : undefined;
    return caller ?? refuseToken('unknown_connect_session_token', 'the connect session token is unknown or has expired');
  }
  // A session token where a key is due is looked up like any other text that is no key of ours.
  const caller = token.startsWith(SESSION_PREFIX) ? undefined : await authenticator.apiKey(token, socket);
  if (caller === undefined) return refuseToken('unknown_account', 'the API key is unknown or has been revoked');
  if (keyLimit !== undefined) consume(keyLimit, caller, tellLimit);
  requireScope(caller, access.scope);
  return caller;
}

function readBearer(header: string | undefined): string {
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

function countFailure({ failures, clientAddress }: DoorDeps, request: IncomingMessage): void {
  const { retryAfterSeconds } = failures.consume(clientAddress(request));
  if (retryAfterSeconds === undefined) return;
  throw new ServiceError('too_many_request', 'too many requests without a valid credential came from this address', {
    retryAfterSeconds,
  });
}
