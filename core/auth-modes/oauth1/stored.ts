import type { JsonObject } from '#contract';
import type { StoredCredentials } from '../building-blocks/stored-credentials.ts';

export interface StoredOAuth1 extends StoredCredentials {
  readonly type: 'OAUTH1';
  readonly oauthToken: string;
  readonly oauthTokenSecret: string;
  readonly raw: JsonObject;
}
