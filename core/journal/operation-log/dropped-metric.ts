import { Counter, type Registry } from 'prom-client';
import type { Activity } from './activity.ts';

/** Exposes the number of dropped entries of the operation log to Prometheus. */
export function showDropped(registry: Registry, activity: Pick<Activity, 'dropped'>): void {
  const counter = new Counter({
    name: 'operations_dropped_total',
    help: 'Entries of the operation log that were dropped: too many at once, or rejected by the database.',
    registers: [registry],
    collect: () => {
      counter.reset();
      counter.inc(activity.dropped);
    },
  });
}
