import type { KeyFields } from '../building-blocks/signed-jwt/key-fields.ts';
import type { Expiring } from '../building-blocks/stored-credentials.ts';

export interface StoredJwt extends Expiring, KeyFields {
  readonly type: 'JWT';
  /** The signed token, or the access token for which it was exchanged; absent until there is one. */
  readonly token?: string;
}
