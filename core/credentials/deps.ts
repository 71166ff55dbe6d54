import type { Knex } from 'knex';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Plugins } from '../catalogue/plugins/plugins.ts';
import type { Instances } from '../db/instances.ts';
import type { Notices } from '../db/notices.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import type { Counters } from '../journal/counters.ts';
import type { Activity } from '../journal/operation-log/activity.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import type { Outbound } from '../kit/outbound.ts';
import type { Tracer } from '../kit/tracing.ts';
import type { OutboxDeps } from '../webhook-delivery/deps.ts';
import type { Refreshing } from './refreshing.ts';

/** Dependencies of code that holds the lease of a refresh. */
export interface LeaseDeps {
  readonly db: Knex;
  readonly log: Logger;
  readonly refreshing: Refreshing;
}

/** Dependencies of the code that decides when credentials are due. */
export interface RuleDeps {
  readonly catalogue: Catalogue;
  readonly plugins: Plugins;
  readonly refreshMarginSeconds: number;
}

export interface CredentialsDeps extends StoreDeps, OutboxDeps, LeaseDeps, RuleDeps {
  readonly clock: Clock;
  readonly notices: Notices;
  readonly random: () => number;
  readonly outbound: Outbound;
  readonly activity: Activity;
  readonly counters: Counters;
  /** Absent while traces are off. */
  readonly tracer?: Tracer | undefined;
  readonly instances: Pick<Instances, 'newOwner' | 'isOurs' | 'isGone' | 'stands' | 'reconnectedAtMs' | 'hearsNotices'>;
}
