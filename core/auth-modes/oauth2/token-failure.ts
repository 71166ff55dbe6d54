import { type AuthRules, effectiveDefinition, type JsonObject, type TokenRefusal, valueAt } from '#contract';
import type { OutboundResponse } from '../../kit/outbound.ts';
import { type ModeInput, TokenFailure, type TokenFailureKind } from '../auth-mode.ts';

/** What decides what a failure means. */
export type FailureInput = Pick<ModeInput, 'definition' | 'integrationConfig' | 'rules'>;

// Codes that may be repeated to people: RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 8707 §2, RFC 9449 §5 and §8, OpenID
// Connect Core §3.1.2.6.
// Whatever else a server writes may be an echo of a secret.
const KNOWN_CODES: ReadonlySet<string> = new Set([
  ...['invalid_request', 'invalid_client', 'invalid_grant', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope'],
  ...['bad_refresh_token', 'access_denied', 'unsupported_response_type', 'server_error', 'temporarily_unavailable'],
  ...['invalid_token', 'insufficient_scope', 'invalid_target', 'invalid_dpop_proof', 'use_dpop_nonce'],
  ...['interaction_required', 'login_required', 'account_selection_required', 'consent_required'],
  ...[
    'request_not_supported',
    'request_uri_not_supported',
    'registration_not_supported',
    'invalid_request_uri',
    'invalid_request_object',
  ],
]);

/** By these the grant itself is over: RFC 6749 §5.2, and what servers write that name their refresh token instead. */
const REVOKED_CODES = ['invalid_grant', 'bad_refresh_token'];

export function knownCode(error: unknown): string | undefined {
  const code = typeof error === 'string' ? error.toLowerCase() : '';
  return KNOWN_CODES.has(code) ? code : undefined;
}

/** The code of an error answer: `error` (RFC 6749 §5.2), or where that is an object its `code`. */
export function errorCode(body: JsonObject | undefined): string | undefined {
  const code = [body?.['error'], valueAt(body, 'error.code')].find((value) => typeof value === 'string');
  return typeof code === 'string' && code !== '' ? code : undefined;
}

interface Refused {
  readonly answer: OutboundResponse;
  /** Of the answer, read. */
  readonly body: JsonObject | undefined;
  readonly now: Date;
}

/**
 * What an answer without a token means. Codes that the definition or the integration names (`revoked_codes`) end the
 * authorization whatever the plugin says of them; those that only the plugin knows count through its `isRevoked`.
 */
export function tokenFailure(input: FailureInput, { answer, body, now }: Refused): TokenFailure {
  const { status } = answer;
  const error = errorCode(body);
  const named = effectiveDefinition(input.definition, input.integrationConfig).revoked_codes ?? [];
  const refusal = { status, ...(error !== undefined && { error }), body: body ?? null };
  const isRevoked =
    isOneOf(named, refusal) ||
    (pluginsVerdict(input.rules, refusal) ?? (isOneOf(REVOKED_CODES, refusal) || isInvalidToken(refusal)));
  const kind = isRevoked ? 'refused' : kindOf(status, error);
  return new TokenFailure(kind, MESSAGES[kind], {
    status,
    providerCode: knownCode(error) ?? named.find((code) => isOneOf([code], refusal)),
    retryAfterSeconds: retryAfter(answer.headers['retry-after'], now),
  });
}

const MESSAGES: Readonly<Record<TokenFailureKind, string>> = {
  refused: 'the provider says that this authorization is over',
  transient: 'the token endpoint refuses for now',
  malformed: 'the answer of the token endpoint is no token answer',
  unknown: 'the outcome of the token call is unknown',
};

/** A plugin's error may quote the answer, so it does not go on; and a bug must not end an authorization. */
function pluginsVerdict(rules: AuthRules | undefined, refusal: TokenRefusal): boolean | undefined {
  try {
    return rules?.isRevoked?.(refusal);
  } catch {
    return false;
  }
}

/** In any letter case. A server in trouble or a limit that was hit is not a verdict, whatever its error page says. */
function isOneOf(codes: readonly string[], { status, error = '' }: TokenRefusal): boolean {
  return status < 500 && status !== 429 && codes.some((code) => code.toLowerCase() === error.toLowerCase());
}

/** RFC 6750 §3.1 gives this code status 401; with 400, a token endpoint means the token that it was sent. */
function isInvalidToken(refusal: TokenRefusal): boolean {
  return refusal.status === 400 && isOneOf(['invalid_token'], refusal);
}

function kindOf(status: number, error: string | undefined): TokenFailureKind {
  return status >= 400 || error !== undefined ? 'transient' : 'malformed';
}

/** RFC 9110 §10.2.3: seconds or a date. */
function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now.getTime()) / 1000);
  return seconds > 0 ? seconds : undefined;
}
