import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Plugins } from '../catalogue/plugins/plugins.ts';
import type { TagKeyDeps } from '../connections/integrations/deps.ts';
import type { Notices } from '../db/notices.ts';
import type { Signals } from '../db/work-signals.ts';
import type { Counters } from '../journal/counters.ts';
import type { Activity } from '../journal/operation-log/activity.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import type { Outbound } from '../kit/outbound.ts';
import type { Tracer } from '../kit/tracing.ts';

export interface WebhookIngressDeps extends TagKeyDeps {
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly signals: Signals;
  readonly log: Logger;
  readonly random: () => number;
  readonly activity: Activity;
  readonly counters: Counters;
  readonly plugins: Plugins;
  readonly notices: Notices;
  readonly outbound: Outbound;
  /** Creates a span for each delivery that is matched; absent while traces are off. */
  readonly tracer?: Tracer | undefined;
  /** Maximum size of a decompressed body. */
  readonly webhookMaxBytes: number;
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string;
  /** An additional prefix of the service's signature headers, in lower case. */
  readonly clientPrefix?: string | undefined;
  /** Returns milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}
