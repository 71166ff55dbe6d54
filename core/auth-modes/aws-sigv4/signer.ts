import { ServiceError } from '../../errors.ts';
import type { RequestSigner, SignedRequest, SigningInput } from '../auth-mode.ts';
import type { HeaderPairs } from './canonical-request.ts';
import { signingScope } from './scope.ts';
import { type AwsKey, authorizationOf, hexSha256, isObjectStore, type SigningScope, signingTime } from './signature.ts';
import type { StoredAwsRole } from './stored.ts';

/**
 * Replaces the hash of the body in signatures that do not cover it. Amazon S3 accepts this over https, so bodies of any size can
 * be streamed; other services need the real hash.
 */
const UNSIGNED = 'UNSIGNED-PAYLOAD';
/** Headers that the signature adds; they replace headers of the same name in a caller's request. */
const OWN = new Set(['x-amz-date', 'x-amz-security-token', 'x-amz-content-sha256']);

/** Returns a function that signs requests as the assumed role. @throws ServiceError as `signingScope` */
export function roleSigner(stored: StoredAwsRole, input: SigningInput): RequestSigner {
  const scope = signingScope(input);
  return (request) => {
    rejectSignedChunks(request.headers ?? []);
    return signedHeaders(request, stored, scope);
  };
}

/** Returns whether signatures need the hash of the whole body. */
export function coversBody(_: StoredAwsRole, input: SigningInput): boolean {
  return !isObjectStore(signingScope(input).service);
}

/** Returns the headers to add: the date, the session token, the hash of the body if it is needed, and `Authorization`. */
export function signedHeaders(request: SignedRequest, key: AwsKey, scope: SigningScope): Record<string, string> {
  const payloadHash = isObjectStore(scope.service) ? UNSIGNED : hexSha256(request.body ?? '');
  const added = {
    'x-amz-date': signingTime(request.at),
    ...(key.sessionToken !== undefined && { 'x-amz-security-token': key.sessionToken }),
    ...(isObjectStore(scope.service) && { 'x-amz-content-sha256': payloadHash }),
  };
  const headers: HeaderPairs = [
    ['host', new URL(request.origin).host],
    ...(request.headers ?? []).filter(([name]) => isCovered(name)),
    ...Object.entries(added),
  ];
  const covered = { method: request.method, target: request.path, headers, payloadHash };
  return { ...added, authorization: authorizationOf(covered, { key, ...scope, at: request.at }) };
}

/** Returns whether the signature must cover a header that is present; a proxy may change other headers on the way. */
function isCovered(name: string): boolean {
  return name === 'content-type' || (name.startsWith('x-amz-') && !OWN.has(name));
}

/** Rejects bodies in signed chunks, whose signatures were created with the caller's own key and would not match this one. */
function rejectSignedChunks(headers: HeaderPairs): void {
  const isChunked = headers.some(([name, value]) => name === 'x-amz-content-sha256' && value.startsWith('STREAMING-'));
  if (!isChunked) return;
  throw new ServiceError(
    'invalid_headers',
    'a body in signed chunks cannot be signed again: send the body without chunk signatures',
  );
}
