import type { JsonObject } from '#contract';
import type { Expiring } from '../stored-credentials.ts';

export interface StoredApp extends Expiring {
  readonly type: 'APP';
  readonly appId: string;
  readonly installationId: string;
  /** The installation's token; empty until the first one is fetched. */
  readonly accessToken: string;
  readonly raw: JsonObject;
}
