import type { ConfigOverride } from '../stored-credentials.ts';
import type { ReceivedTokens } from '../token-endpoint/token-response.ts';

export interface StoredOAuth2 extends ReceivedTokens {
  readonly type: 'OAUTH2';
  readonly configOverride?: ConfigOverride;
}

/** @param previous after a refresh: the credentials that were renewed, whose own app stays */
export function storedOAuth2(tokens: ReceivedTokens, previous?: StoredOAuth2): StoredOAuth2 {
  const { configOverride } = previous ?? {};
  return { type: 'OAUTH2', ...tokens, ...(configOverride !== undefined && { configOverride }) };
}
