import type { StoreDeps } from '../db/store-deps.ts';
import type { Signals } from '../db/work-signals.ts';
import type { Counters } from '../journal/counters.ts';
import type { Activity } from '../journal/operation-log/activity.ts';
import type { Clock } from '../kit/clock.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { Logger } from '../kit/logger.ts';
import type { Outbound } from '../kit/outbound.ts';
import type { Tracer } from '../kit/tracing.ts';
import type { BacklogLimit } from './backlog-store.ts';

/** Dependencies of code that sends a webhook in the transaction of its cause. */
export interface OutboxDeps {
  readonly keys: KeyRing;
  readonly signals: Signals;
}

export interface WebhookDeliveryDeps extends StoreDeps, OutboxDeps {
  readonly log: Logger;
  readonly clock: Clock;
  readonly random: () => number;
  readonly activity: Pick<Activity, 'begin' | 'count'>;
  readonly counters: Counters;
  readonly outbound: Pick<Outbound, 'call' | 'inside'>;
  /** The public URL. An inbox of an environment lies below it and is not reached over the network. */
  readonly baseUrl: string;
  readonly logRetentionDays: number;
  /** Creates a span for each attempt; absent while traces are off. */
  readonly tracer?: Tracer | undefined;
  readonly clientPrefix?: string | undefined;
  /** Time limit of one attempt. Default: 20,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Limits of the waiting webhooks of one target. Default: 100,000 webhooks, 1 GiB. */
  readonly waitingBounds?: BacklogLimit | undefined;
}
