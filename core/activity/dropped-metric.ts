import { Counter, type Registry } from 'prom-client';
import type { Activity } from './activity.ts';

/** Shows to Prometheus how much of the operation log was lost. */
export function showDropped(registry: Registry, activity: Pick<Activity, 'dropped'>): void {
  const counter = new Counter({
    name: 'operations_dropped_total',
    help: 'Entries of the operation log that could not be kept.',
    registers: [registry],
    collect: () => {
      counter.reset();
      counter.inc(activity.dropped);
    },
  });
}
