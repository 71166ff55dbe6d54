import type { Knex } from 'knex';
import type { Activity } from '../activity/activity.ts';
import type { Notices } from '../db/notices.ts';
import type { WorkTableDeps } from '../db/work-table.ts';
import type { IntegrationDeps } from '../integrations/integrations.ts';
import type { TagKeyDeps } from '../integrations/webhook-address.ts';
import type { Clock } from '../kit/clock.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { Outbound } from '../kit/outbound.ts';
import type { Plugins } from '../plugin-host/plugins.ts';

export interface WebhookIngressDeps extends TagKeyDeps, WorkTableDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly catalogue: IntegrationDeps['catalogue'];
  readonly plugins: Plugins;
  readonly notices: Notices;
  readonly outbound: Outbound;
  /** Of a decompressed body. */
  readonly webhookMaxBytes: number;
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string;
  /** Lower case; an additional prefix of our signature headers. */
  readonly clientPrefix?: string | undefined;
  /** Milliseconds of a monotonic clock. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}
