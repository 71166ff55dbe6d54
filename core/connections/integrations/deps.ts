import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Notices } from '../../db/notices.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import type { Clock } from '../../kit/clock.ts';
import type { LoadingCache } from '../../kit/loading-cache.ts';
import type { Outbound } from '../../kit/outbound.ts';

/** The dependencies needed to create the tag of a webhook address. */
export interface TagKeyDeps extends StoreDeps {
  /** The keys with which the tags of webhook addresses are created, by environment ID. */
  readonly tagKeys: LoadingCache<number, string>;
}

export interface IntegrationsDeps extends TagKeyDeps {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly notices: Pick<Notices, 'publish'>;
  readonly outbound: Pick<Outbound, 'check'>;
}
