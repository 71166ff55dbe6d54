import type { StoredCredentials } from '../../core/auth-modes/auth-mode.ts';
import type { StoredOAuth2 } from '../../core/auth-modes/oauth2/stored.ts';

/** Returns the stored tokens of a connection that was authorized by OAuth 2. */
export function oauth2Of({ credentials }: { readonly credentials: StoredCredentials }): StoredOAuth2 {
  if (credentials.type !== 'OAUTH2') throw new Error(`the credentials are of the mode ${credentials.type}`);
  return credentials as StoredOAuth2;
}
