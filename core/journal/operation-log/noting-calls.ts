import { observingCalls } from '../../kit/outbound-observer.ts';
import type { Operation } from './activity.ts';

/**
 * Maximum number of outbound calls that become messages of an operation. It keeps a limited number of messages, and one must
 * remain to say how it ended.
 */
const MAX_NOTED = 10;

/**
 * Runs `run` and adds a message to the operation for each of the first outbound calls that it makes, with its result. These
 * messages never become the operation's summary.
 */
export function notingCalls<T>(note: Operation['note'], run: () => Promise<T>): Promise<T> {
  let noted = 0;
  return observingCalls(({ method, host, result, fault, durationMs }) => {
    if (noted === MAX_NOTED) return;
    noted += 1;
    const isFine = typeof result === 'number' && result < 400;
    note(isFine ? 'info' : 'warn', `${method} ${host} → ${result}`, {
      call: { method, host, result, ...(fault !== undefined && { fault }), duration_ms: durationMs },
    });
  }, run);
}
