import { isObject, type JsonObject, valueAt } from '#contract';
import { ServiceError } from '../../errors.ts';
import type { OutboundResponse } from '../../kit/outbound.ts';
import { newSecret } from '../../kit/random-id.ts';
import { readXml } from '../../kit/read-xml.ts';
import { type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { firstToken } from '../building-blocks/first-token.ts';
import { byOurClock, type Received } from '../building-blocks/token-endpoint/server-clock.ts';
import { sendTokenRequest, type TokenRequest, tokenUrl } from '../building-blocks/token-endpoint/token-call.ts';
import { signingScope } from './scope.ts';
import { signedHeaders } from './signer.ts';
import type { StoredAwsRole } from './stored.ts';

const VERSION = '2011-06-15';
/** The session name. In the log of the user's AWS account (CloudTrail) it shows who assumed the role. */
const SESSION_NAME = 'svc';
/** The lifetime of a session in milliseconds, which AWS chooses because `DurationSeconds` is not sent. */
const DEFAULT_LIFETIME_MS = 3_600_000;
const BASE64 = /^[A-Za-z0-9+/=]{1,16384}$/;

/** Error codes that mean the role's trust policy does not, or no longer, allow the call, which the user can correct. */
const REFUSALS = new Set(['AccessDenied', 'ValidationError']);
/** Error codes about the integration's own AWS key, and error codes of temporary failures. */
const OTHER_CODES = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InternalFailure',
  'InvalidClientTokenId',
  'RegionDisabledException',
  'RequestExpired',
  'ServiceUnavailable',
  'SignatureDoesNotMatch',
  'Throttling',
  'ThrottlingException',
]);
const TOO_MANY_REQUESTS = 429;

/**
 * Starts a new session of the role (AWS STS, `AssumeRole`) with the integration's own key. The external ID tells the role's owner
 * on whose behalf the role is assumed ("The confused deputy problem" in the IAM user guide).
 *
 * @throws TokenFailure if AWS starts none, of the kind `refused` if the role's trust policy does not allow the call
 */
export async function assumeRole(deps: ModeDeps, input: ModeInput, { roleArn }: StoredAwsRole): Promise<StoredAwsRole> {
  const receivedAt = deps.now();
  const response = await sendTokenRequest(deps, () => assumeRoleRequest(input, roleArn, receivedAt));
  const body = readXml(response.body.toString('utf8'));
  const credentials = response.status === 200 ? valueAt(body, 'AssumeRoleResponse.AssumeRoleResult.Credentials') : undefined;
  if (!isObject(credentials)) throw refusal(response, body);
  return {
    type: 'AWS_SIGV4',
    roleArn,
    accessKeyId: member(credentials, 'AccessKeyId'),
    secretAccessKey: member(credentials, 'SecretAccessKey'),
    sessionToken: member(credentials, 'SessionToken'),
    expiresAt: expiryOf(credentials, { receivedAt, headers: response.headers }).toISOString(),
    receivedAt: receivedAt.toISOString(),
  };
}

/**
 * Starts the first session of a role. A role that can also be assumed with another external ID is refused until its owner
 * corrects the trust policy, since anybody who knows its ARN, which is no secret, could connect it.
 *
 * @throws ServiceError `connection_test_failed` if AWS refuses the role, or accepts another external ID for it; else
 *   `provider_unavailable`
 */
export async function assumeRoleFirst(deps: ModeDeps, input: ModeInput, stored: StoredAwsRole): Promise<StoredAwsRole> {
  const session = await firstToken(() => assumeRole(deps, input, stored));
  const connectionConfig = { ...input.connectionConfig, external_id: newSecret() };
  if (!(await firstToken(() => isAssumable(deps, { ...input, connectionConfig }, stored)))) return session;
  const condition = '"Condition": {"StringEquals": {"sts:ExternalId": "<the external ID of this connection>"}}';
  const message = `the role can be assumed with any external ID: its trust policy must have ${condition}`;
  throw new ServiceError('connection_test_failed', message);
}

async function isAssumable(deps: ModeDeps, input: ModeInput, stored: StoredAwsRole): Promise<boolean> {
  try {
    await assumeRole(deps, input, stored);
    return true;
  } catch (error) {
    if (error instanceof TokenFailure && error.kind === 'refused') return false;
    throw error;
  }
}

function assumeRoleRequest(input: ModeInput, roleArn: string, at: Date): TokenRequest {
  const { client, connectionConfig } = input;
  const url = tokenUrl(input, input.definition.token_url);
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: VERSION,
    RoleArn: roleArn,
    RoleSessionName: SESSION_NAME,
    ExternalId: String(connectionConfig['external_id'] ?? ''),
  }).toString();
  const type = ['content-type', 'application/x-www-form-urlencoded; charset=utf-8'] as const;
  const request = { method: 'POST', origin: url.origin, path: url.pathname + url.search, headers: [type], at };
  const key = { accessKeyId: client.clientId, secretAccessKey: client.clientSecret };
  const scope = { service: 'sts', region: regionOf(input) };
  const signed = signedHeaders({ ...request, body: Buffer.from(body) }, key, scope);
  return { url, headers: { ...Object.fromEntries([type]), 'accept-encoding': 'identity', ...signed }, body };
}

/** Returns the region of AWS STS. A wrong setting can be corrected without the user, so the failure is `transient`. */
function regionOf(input: ModeInput): string {
  try {
    return signingScope(input).region;
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new TokenFailure('transient', cause.message, { cause });
  }
}

type Credentials = Readonly<Record<string, unknown>>;

/** Returns a field of the response's credentials. @throws TokenFailure if it is missing, or cannot be sent in a header */
function member(credentials: Credentials, name: string): string {
  const value = credentials[name];
  if (typeof value !== 'string' || !BASE64.test(value))
    throw new TokenFailure('malformed', 'the response to AssumeRole has no usable credentials', { status: 200 });
  return value;
}

function expiryOf(credentials: Readonly<Record<string, unknown>>, received: Received): Date {
  const { receivedAt } = received;
  const stated = byOurClock(new Date(String(credentials['Expiration'] ?? '')), received);
  return stated > receivedAt ? stated : new Date(receivedAt.getTime() + DEFAULT_LIFETIME_MS);
}

function refusal({ status }: OutboundResponse, body: JsonObject | undefined): TokenFailure {
  const code = String(valueAt(body, 'ErrorResponse.Error.Code') ?? '');
  if (status < 400) return new TokenFailure('malformed', 'the response to AssumeRole has no usable credentials', { status });
  const isRefused = status < 500 && REFUSALS.has(code);
  const message = isRefused ? 'this key is not allowed to assume the role' : 'the role cannot be assumed at the moment';
  return new TokenFailure(isRefused ? 'refused' : 'transient', message, {
    status: code.startsWith('Throttling') ? TOO_MANY_REQUESTS : status,
    providerCode: REFUSALS.has(code) || OTHER_CODES.has(code) ? code : undefined,
  });
}
