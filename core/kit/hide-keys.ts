/** As `random-id.ts` makes them. */
const KEYS = /svc_(?:sk|ak)_[A-Za-z0-9_-]{43}|svc_connect_session_[0-9a-f]{64}/g;

/**
 * The text without API keys, account keys and session tokens of this service. Callers put them into the wrong place, and what
 * is logged or returned about their mistake must not contain them. Keys of an operator's own making are not recognised.
 */
export function hideKeys(text: string): string {
  return text.includes('svc_') ? text.replace(KEYS, '[redacted]') : text;
}
