/** Matches keys and tokens of the forms that `random-id.ts` creates. */
const KEYS = /svc_(?:sk|ak)_[A-Za-z0-9_-]{43}|svc_connect_session_[0-9a-f]{64}/g;

/**
 * Returns a text without API keys, account keys and session tokens of this service. Callers sometimes send them in the wrong
 * place, and a log line or response about the mistake must not contain them. API keys that the operator has chosen, in whatever
 * form, are not recognised.
 */
export function hideKeys(text: string): string {
  return text.includes('svc_') ? text.replace(KEYS, '[redacted]') : text;
}
