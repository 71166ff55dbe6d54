import type { OperationCount } from './count-store.ts';

const HOUR_MS = 3_600_000;

/** Counts that wait to be written: few numbers, however much is counted. */
export class Uncounted {
  readonly #counts = new Map<string, OperationCount>();

  add(
    counted: Pick<OperationCount, 'environment_id' | 'kind' | 'status'>,
    { at, count = 1 }: { at: Date; count?: number },
  ): void {
    const { environment_id, kind, status } = counted;
    const hour = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
    const key = `${environment_id} ${hour} ${kind} ${status}`;
    const before = this.#counts.get(key)?.count ?? 0;
    this.#counts.set(key, { environment_id, hour: new Date(hour), kind, status, count: before + count });
  }

  /** All of them; they are no longer here. */
  take(): readonly OperationCount[] {
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    return counts;
  }
}
