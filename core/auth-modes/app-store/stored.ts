import type { JsonObject } from '#contract';
import type { KeyFields } from '../building-blocks/signed-jwt/key-fields.ts';
import type { Expiring } from '../building-blocks/stored-credentials.ts';

export interface StoredAppStore extends Expiring, KeyFields {
  readonly type: 'APP_STORE';
  readonly privateKey: string;
  /** Empty before the first one is signed. */
  readonly accessToken: string;
  readonly raw: JsonObject;
}
