import type { Activity } from '../activity/activity.ts';
import { ServiceError } from '../errors.ts';
import type { Receiver } from './receivers.ts';

const WINDOW_MS = 60_000;
/** Entries of the log for each integration in one window: anybody can be refused as often as they like. */
const PER_WINDOW = 20;

/** Counts what may still be said about refused deliveries. */
export class RefusalLog {
  readonly #now: () => number;
  readonly #counts = new Map<number, number>();
  #window = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether one more of this integration is told; asked once for each. */
  takes(integrationId: number): boolean {
    const window = Math.floor(this.#now() / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts.clear();
    }
    const count = (this.#counts.get(integrationId) ?? 0) + 1;
    this.#counts.set(integrationId, count);
    return count <= PER_WINDOW;
  }
}

interface RefusalDeps {
  readonly activity: Pick<Activity, 'begin'>;
  readonly refusals: RefusalLog;
}

/** Does the work, and writes to the operation log why it refused the delivery. */
export async function noteRefusal<T>(deps: RefusalDeps, receiver: Receiver, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) tell(deps, receiver, error);
    throw error;
  }
}

function tell({ activity, refusals }: RefusalDeps, { integration }: Receiver, { code, message }: ServiceError): void {
  if (!refusals.takes(integration.id)) return;
  const { environmentId, uniqueKey: providerConfigKey } = integration;
  const operation = activity.begin({ type: 'webhook', operation: 'delivery', environmentId, providerConfigKey });
  operation.note('warn', 'a webhook was refused', { error: code, reason: message });
  operation.end('failure');
}
