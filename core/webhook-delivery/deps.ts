import type { StoreDeps } from '../db/store-deps.ts';
import type { Signals } from '../db/work-signals.ts';
import type { Activity } from '../journal/operation-log/activity.ts';
import type { Clock } from '../kit/clock.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { Logger } from '../kit/logger.ts';
import type { Outbound } from '../kit/outbound.ts';
import type { BacklogLimit } from './limit-store.ts';

/** What sending a webhook takes, in the transaction of what it is about. */
export interface OutboxDeps {
  readonly keys: KeyRing;
  readonly signals: Signals;
}

export interface WebhookDeliveryDeps extends StoreDeps, OutboxDeps {
  readonly log: Logger;
  readonly clock: Clock;
  readonly random: () => number;
  readonly activity: Pick<Activity, 'begin' | 'count'>;
  readonly outbound: Pick<Outbound, 'call' | 'inside'>;
  /** The public URL: below it, the inbox of an environment is not on the network. */
  readonly baseUrl: string;
  readonly logRetentionDays: number;
  readonly clientPrefix?: string | undefined;
  /** Called with the outcome of every attempt. */
  readonly onAttempt?: ((outcome: { readonly result: string; readonly error: string | null }) => void) | undefined;
  /** Of one attempt. Default 20,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Of the waiting messages of one target. Default: 100,000 messages, 1 GiB. */
  readonly waitingBounds?: BacklogLimit | undefined;
}
