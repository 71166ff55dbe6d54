import type { AuthRules, TokenRefusal } from '#contract';
import type { OutboundAnswer } from '../../kit/outbound.ts';
import { TokenFailure, type TokenFailureKind } from '../auth-mode.ts';
import { readAnswerBody } from './answer-body.ts';

// Codes that may be repeated to people: RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 8707 §2, RFC 9449 §5 and §8, OpenID
// Connect Core §3.1.2.6.
// Whatever else a server writes may be an echo of a secret.
const KNOWN_CODES: ReadonlySet<string> = new Set([
  ...['invalid_request', 'invalid_client', 'invalid_grant', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope'],
  ...['access_denied', 'unsupported_response_type', 'server_error', 'temporarily_unavailable'],
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

export function knownCode(error: unknown): string | undefined {
  return typeof error === 'string' && KNOWN_CODES.has(error) ? error : undefined;
}

/** What an answer without a token means. A code that only the plugin knows counts through its `isRevoked`. */
export function tokenFailure(answer: OutboundAnswer, now: Date, rules: AuthRules | undefined): TokenFailure {
  const body = readAnswerBody(answer.body);
  const error = typeof body?.['error'] === 'string' ? body['error'] : undefined;
  const refusal = { status: answer.status, ...(error !== undefined && { error }), body: body ?? null };
  const isRevoked = pluginsVerdict(rules, refusal) ?? isInvalidGrant(answer.status, error);
  const kind = isRevoked ? 'refused' : kindOf(answer.status, error);
  return new TokenFailure(kind, MESSAGES[kind], {
    status: answer.status,
    providerCode: knownCode(error),
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

/** A server in trouble or a limit that was hit is not a verdict, whatever its error page says. */
function isInvalidGrant(status: number, error: string | undefined): boolean {
  return error === 'invalid_grant' && status < 500 && status !== 429;
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
