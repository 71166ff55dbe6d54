import { observingCalls } from '../../kit/outbound-observer.ts';
import type { Operation } from './activity.ts';

/** An operation keeps a bounded number of messages, and has to say how it ended. */
const MAX_NOTED = 10;

/** Notes each call that `run` makes, and what came of it, of many the first: none of this is what the operation itself says. */
export function notingCalls<T>(note: Operation['note'], run: () => Promise<T>): Promise<T> {
  let noted = 0;
  return observingCalls(({ method, host, result, durationMs }) => {
    if (noted === MAX_NOTED) return;
    noted += 1;
    const isFine = typeof result === 'number' && result < 400;
    note(isFine ? 'info' : 'warn', `${method} ${host} → ${result}`, { call: { method, host, result, duration_ms: durationMs } });
  }, run);
}
