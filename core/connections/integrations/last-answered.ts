import type { Knex } from 'knex';
import { BatchedTouch } from '../../kit/batched-touch.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { touchAnswered } from './answered-store.ts';

const FLUSH_EVERY_MS = 4_000;
/** Types of operations whose calls go to the provider of their integration. */
const CALLING: readonly string[] = ['auth', 'refresh', 'proxy'];

/**
 * Records which integrations' providers have answered a call of this service with 2xx, at most five seconds late. Nothing else
 * proves that a definition works: credentials that were imported have not been used yet.
 */
export class LastAnswered extends BatchedTouch<string> {
  constructor({ db, ...deps }: { readonly db: Knex; readonly clock: Clock; readonly log: Logger }) {
    super({
      ...deps,
      column: 'answered_at',
      flushEveryMs: FLUSH_EVERY_MS,
      write: (integrations, at) => touchAnswered(db, integrations, at),
    });
  }

  /** Takes an operation that has ended as evidence, if it succeeded by a call that was answered with 2xx. */
  readonly note = (operation: EndedOperation): void => {
    const { environment_id: environmentId, provider_config_key: uniqueKey } = operation;
    if (uniqueKey !== null && isAnswered(operation)) this.touch(JSON.stringify([environmentId, uniqueKey]));
  };
}

/** What a row of the operation log says of the calls of an operation. */
interface EndedOperation {
  readonly environment_id: number;
  readonly provider_config_key: string | null;
  readonly type: string;
  readonly status: string;
  readonly http_status: number | null;
  readonly messages: readonly unknown[];
}

function isAnswered({ type, status, http_status: httpStatus, messages }: EndedOperation): boolean {
  if (status !== 'success' || !CALLING.includes(type)) return false;
  const results = (messages as readonly { facts: { call?: { result?: unknown } } }[]).map(({ facts }) => facts.call?.result);
  return [httpStatus, ...results].some((result) => typeof result === 'number' && result >= 200 && result < 300);
}
