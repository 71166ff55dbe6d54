import type { JsonObject } from '#contract';
import type { ConfigOverride, Expiring } from '../stored-credentials.ts';

export interface StoredOAuth2 extends Expiring {
  readonly type: 'OAUTH2';
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** The provider's response, untouched. */
  readonly raw: JsonObject;
  readonly configOverride?: ConfigOverride;
}
