/** Matches keys and tokens of the forms that `random-id.ts` creates. */
const KEYS = /svc_(?:sk|ak)_[A-Za-z0-9_-]{43}|svc_connect_session_[0-9a-f]{64}/g;

/**
 * Returns a text without API keys, account keys and session tokens of this service. Callers put them into the wrong place, and
 * a log line or a response about their mistake must not contain them. Keys that an operator has chosen himself are not
 * recognised.
 */
export function hideKeys(text: string): string {
  return text.includes('svc_') ? text.replace(KEYS, '[redacted]') : text;
}
