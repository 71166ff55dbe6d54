import type { Plugins } from '../catalogue/plugins/plugins.ts';
import type { modeInput } from '../connections/integrations/mode-input.ts';
import type { Counters } from '../journal/counters.ts';
import type { Activity } from '../journal/operation-log/activity.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import type { OutboundDoors } from '../kit/outbound.ts';
import type { Tracer } from '../kit/tracing.ts';

export interface ProxyDeps {
  readonly outbound: OutboundDoors;
  readonly catalogue: { find(slug: string): Parameters<typeof modeInput>[1] | undefined };
  readonly plugins: Pick<Plugins, 'of'>;
  readonly activity: Pick<Activity, 'begin' | 'takesRoutine'>;
  readonly counters: Counters;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  /** Creates a span for each attempt; absent while traces are off. */
  readonly tracer?: Tracer | undefined;
  /**
   * A second prefix of proxy headers, in addition to `Svc`, for clients written for another product's API; in lower case and
   * without a hyphen.
   */
  readonly clientPrefix?: string | undefined;
}
