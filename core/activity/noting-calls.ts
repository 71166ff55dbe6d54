import { observingCalls } from '../kit/outbound-observer.ts';
import type { Operation } from './activity.ts';

/** Notes each call that `run` makes, and what came of it: none of this is what the operation itself says. */
export function notingCalls<T>(note: Operation['note'], run: () => Promise<T>): Promise<T> {
  return observingCalls(({ method, host, result, durationMs }) => {
    const isFine = typeof result === 'number' && result < 400;
    note(isFine ? 'info' : 'warn', `${method} ${host} → ${result}`, { call: { method, host, result, duration_ms: durationMs } });
  }, run);
}
