import type { ConfigOverride } from '../building-blocks/stored-credentials.ts';
import type { ReceivedTokens } from '../building-blocks/token-endpoint/token-response.ts';

export interface StoredOAuth2 extends ReceivedTokens {
  readonly type: 'OAUTH2';
  readonly configOverride?: ConfigOverride;
  /** The grant that is repeated to refresh the credentials if they have no refresh token. */
  readonly grant?: 'client_credentials';
}

/** Returns the stored form of tokens. @param previous the credentials before the refresh, whose own app and grant are kept */
export function storedOAuth2(tokens: ReceivedTokens, previous?: StoredOAuth2): StoredOAuth2 {
  const { configOverride, grant } = previous ?? {};
  return {
    type: 'OAUTH2',
    ...tokens,
    ...(configOverride !== undefined && { configOverride }),
    ...(grant !== undefined && { grant }),
  };
}
