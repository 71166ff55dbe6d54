import type { Activity } from '../activity/activity.ts';
import type { Notices } from '../db/notices.ts';
import type { WorkTableDeps } from '../db/work-table.ts';
import type { IntegrationsDeps } from '../integrations/deps.ts';
import type { Outbound } from '../kit/outbound.ts';
import type { Plugins } from '../plugin-host/plugins.ts';

export interface WebhookIngressDeps
  extends Pick<IntegrationsDeps, 'db' | 'keys' | 'clock' | 'catalogue' | 'tagKeys'>,
    WorkTableDeps {
  readonly activity: Activity;
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
