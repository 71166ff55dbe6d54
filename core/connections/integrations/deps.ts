import type { Knex } from 'knex';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Notices } from '../../db/notices.ts';
import type { Clock } from '../../kit/clock.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import type { LoadingCache } from '../../kit/loading-cache.ts';
import type { Outbound } from '../../kit/outbound.ts';

export interface IntegrationsDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly notices: Pick<Notices, 'publish'>;
  readonly outbound: Pick<Outbound, 'check'>;
  /** Keys of webhook tags, by environment. */
  readonly tagKeys: LoadingCache<number, string>;
}
