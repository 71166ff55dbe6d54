import { type AuthRules, effectiveDefinition, type JsonObject, type TokenRefusal, valueAt } from '#contract';
import type { OutboundResponse } from '../../../kit/outbound.ts';
import { type ModeInput, TokenFailure, type TokenFailureKind } from '../../auth-mode.ts';

/** The facts that the classification of a failure depends on, apart from the response. */
export type FailureInput = Pick<ModeInput, 'definition' | 'integrationConfig' | 'rules'>;

// Error codes that may be shown: those of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 8707 §2, RFC 9449 §5 and §8, and OpenID
// Connect Core §3.1.2.6. Any other text from a server may repeat a secret.
const KNOWN_CODES: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'bad_refresh_token',
  'access_denied',
  'unsupported_response_type',
  'server_error',
  'temporarily_unavailable',
  'invalid_token',
  'insufficient_scope',
  'invalid_target',
  'invalid_dpop_proof',
  'use_dpop_nonce',
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
  'invalid_request_uri',
  'invalid_request_object',
]);

/**
 * Codes that mean the grant itself has ended: the standard one (RFC 6749 §5.2), and one that some servers use for a refresh
 * token.
 */
const REVOKED_CODES = ['invalid_grant', 'bad_refresh_token'];

export function knownCode(error: unknown): string | undefined {
  const code = typeof error === 'string' ? error.toLowerCase() : '';
  return KNOWN_CODES.has(code) ? code : undefined;
}

/** Returns the code of an error response: `error` (RFC 6749 §5.2), or `error.code` if `error` is an object. */
export function errorCode(body: JsonObject | undefined): string | undefined {
  const code = [body?.['error'], valueAt(body, 'error.code')].find((value) => typeof value === 'string');
  return typeof code === 'string' && code !== '' ? code : undefined;
}

interface FailedResponse {
  readonly response: OutboundResponse;
  /** The parsed body. */
  readonly body: JsonObject | undefined;
  readonly now: Date;
}

/**
 * Classifies a response without a token. The `revoked_codes` of the definition or the integration always mean that the grant has
 * ended; about other responses, the plugin's `isRevoked` decides, or the common rules if it says nothing.
 */
export function tokenFailure(input: FailureInput, { response, body, now }: FailedResponse): TokenFailure {
  const { status } = response;
  const error = errorCode(body);
  const named = effectiveDefinition(input.definition, input.integrationConfig).revoked_codes ?? [];
  const refusal = { status, ...(error !== undefined && { error }), body: body ?? null };
  const isRevoked =
    isOneOf(named, refusal) ||
    (isRevokedByPlugin(input.rules, refusal) ?? (isOneOf(REVOKED_CODES, refusal) || isInvalidToken(refusal)));
  const kind = isRevoked ? 'refused' : kindOf(status, error);
  return new TokenFailure(kind, MESSAGES[kind], {
    status,
    providerCode: knownCode(error) ?? named.find((code) => isOneOf([code], refusal)),
    retryAfterSeconds: retryAfter(response.headers['retry-after'], now),
  });
}

const MESSAGES: Readonly<Record<TokenFailureKind, string>> = {
  refused: 'the provider says that this authorization has ended',
  transient: 'the token endpoint refuses the request for now',
  malformed: 'the token endpoint did not send a valid token response',
  unknown: 'the outcome of the token call is unknown',
};

/**
 * Asks the plugin whether the grant is revoked. An error counts as false, since a bug must not end an authorization, and is
 * dropped, since it may quote the response.
 */
function isRevokedByPlugin(rules: AuthRules | undefined, refusal: TokenRefusal): boolean | undefined {
  try {
    return rules?.isRevoked?.(refusal);
  } catch {
    return false;
  }
}

/**
 * Returns whether the error code is one of these, regardless of case. Server errors and rate limits never count, since they say
 * nothing about the grant, whatever their body contains.
 */
function isOneOf(codes: readonly string[], { status, error = '' }: TokenRefusal): boolean {
  return status < 500 && status !== 429 && codes.some((code) => code.toLowerCase() === error.toLowerCase());
}

/**
 * Returns whether the token in the request's body, such as the refresh token, is invalid. RFC 6750 §3.1 defines `invalid_token`
 * for APIs, with status 401; a token endpoint that sends it with 400 means the token in the body.
 */
function isInvalidToken(refusal: TokenRefusal): boolean {
  return refusal.status === 400 && isOneOf(['invalid_token'], refusal);
}

function kindOf(status: number, error: string | undefined): TokenFailureKind {
  return status >= 400 || error !== undefined ? 'transient' : 'malformed';
}

/** Reads `Retry-After`, which is a number of seconds or a date (RFC 9110 §10.2.3), and returns the remaining seconds. */
function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now.getTime()) / 1000);
  return seconds > 0 ? seconds : undefined;
}
