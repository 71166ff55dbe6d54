import type { ConfigOverride } from '../building-blocks/stored-credentials.ts';
import type { ReceivedTokens } from '../building-blocks/token-endpoint/token-response.ts';

export interface StoredOAuth2 extends ReceivedTokens {
  readonly type: 'OAUTH2';
  readonly configOverride?: ConfigOverride;
  /** The grant by which they are refreshed if there is no refresh token. */
  readonly grant?: 'client_credentials';
}

/** Returns the stored form of tokens. @param previous the refreshed credentials, whose own app and grant stay */
export function storedOAuth2(tokens: ReceivedTokens, previous?: StoredOAuth2): StoredOAuth2 {
  const { configOverride, grant } = previous ?? {};
  return {
    type: 'OAUTH2',
    ...tokens,
    ...(configOverride !== undefined && { configOverride }),
    ...(grant !== undefined && { grant }),
  };
}
