import type { JsonObject } from '#contract';
import { type Expiring, lifetimeOf } from '../building-blocks/stored-credentials.ts';
import type { ReceivedTokens } from '../building-blocks/token-endpoint/token-response.ts';

export interface StoredOAuth2Cc extends Expiring {
  readonly type: 'OAUTH2_CC';
  readonly clientId: string;
  /** Empty for an app that has a key or a certificate in place of it. */
  readonly clientSecret: string;
  /** PEM. */
  readonly clientCertificate?: string;
  /** PEM: of the certificate, or of assertions. */
  readonly clientPrivateKey?: string;
  /** Empty until the first one was fetched. */
  readonly token: string;
  readonly raw: JsonObject;
}

/** No refresh token is expected here (RFC 6749 §4.4.3); the grant can be repeated. */
export function withTokens(stored: StoredOAuth2Cc, tokens: ReceivedTokens): StoredOAuth2Cc {
  const { expiresAt: _, statedLifetimeMs: __, ...app } = stored;
  const { accessToken, receivedAt, raw } = tokens;
  return { ...app, token: accessToken, ...lifetimeOf(tokens), receivedAt, raw };
}
