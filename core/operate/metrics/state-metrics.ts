import type { Knex } from 'knex';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Config } from '../../config/schema.ts';
import type { DatabaseAvailability } from '../../db/availability.ts';
import type { ClockCheck } from '../../db/clock-check.ts';
import { poolUse } from '../../db/database.ts';
import type { DiskSpace } from '../../db/disk-space.ts';
import type { Activity } from '../../journal/operation-log/activity.ts';
import { backupsIn } from '../backup/daily-backup.ts';
import { Sampled } from './sampled.ts';
import { countConnections, readWorkload, type Waiting, type Workload } from './workload-store.ts';

interface StateMetricsDeps {
  readonly db: Knex;
  readonly availability: Pick<DatabaseAvailability, 'isDown' | 'reportFailure'>;
  readonly space: Pick<DiskSpace, 'isFull'>;
  readonly clockCheck: Pick<ClockCheck, 'isOff'>;
  readonly activity: Pick<Activity, 'dropped'>;
  /** The version of the program. */
  readonly version: string;
  readonly config: Pick<Config, 'SVC_ROLE' | 'SVC_BACKUP_DIR'>;
  /** Returns milliseconds of a clock that never goes back. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** Where metrics are read from. What is in the database is undefined while that is unreachable. */
interface State extends StateMetricsDeps {
  readonly workload: () => Promise<Workload | undefined>;
  readonly connections: () => Promise<Awaited<ReturnType<typeof countConnections>> | undefined>;
}

type Reading = readonly [value: number, labels: Readonly<Record<string, string>>];

interface StateMetric {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly read: (state: State) => Promise<readonly Reading[]>;
}

const METRICS: readonly StateMetric[] = [
  {
    name: 'build_info',
    help: 'Always 1; the labels tell what runs.',
    labelNames: ['version', 'node', 'role'],
    read: async ({ version, config }) => [[1, { version, node: process.version, role: config.SVC_ROLE }]],
  },
  {
    name: 'database_up',
    help: 'Whether the database responds: 1 or 0.',
    read: async ({ availability }) => [[availability.isDown ? 0 : 1, {}]],
  },
  {
    name: 'database_connections',
    help: 'Database connections of the pool of this process: used, free, or waited for.',
    labelNames: ['state'],
    read: async ({ db }) => {
      const { used, free, waiting } = poolUse(db);
      return [
        [used, { state: 'used' }],
        [free, { state: 'free' }],
        [waiting, { state: 'waited_for' }],
      ];
    },
  },
  {
    name: 'degraded',
    help: 'Whether this instance works with a limitation: 1 or 0, by cause.',
    labelNames: ['cause'],
    read: async ({ space, clockCheck }) => [
      [space.isFull ? 1 : 0, { cause: 'storage_full' }],
      [clockCheck.isOff ? 1 : 0, { cause: 'clock_off' }],
    ],
  },
  {
    name: 'connections',
    help: 'Connections, by state.',
    labelNames: ['state'],
    read: async ({ connections }) => countsBy('state', await connections()),
  },
  {
    name: 'work_due',
    help: 'Due rows of the work tables.',
    labelNames: ['table'],
    read: async ({ workload }) => countsBy('table', (await workload())?.due),
  },
  {
    name: 'work_oldest_seconds',
    help: 'For how long the oldest due row of each work table has been due.',
    labelNames: ['table'],
    read: async ({ workload }) => agesBy('table', (await workload())?.due),
  },
  {
    name: 'leases',
    help: 'Rows of the work tables that an instance is working on.',
    labelNames: ['table'],
    read: async ({ workload }) => countsBy('table', (await workload())?.leased),
  },
  {
    name: 'webhooks_waiting',
    help: 'Webhooks to applications that are not delivered yet.',
    labelNames: ['state'],
    read: async ({ workload }) => countsBy('state', (await workload())?.webhooks),
  },
  {
    name: 'webhooks_oldest_seconds',
    help: 'The age of the oldest webhook that is not delivered yet.',
    labelNames: ['state'],
    read: async ({ workload }) => agesBy('state', (await workload())?.webhooks),
  },
  {
    name: 'last_backup_timestamp_seconds',
    help: 'When the newest daily backup was made; 0: never. Absent without SVC_BACKUP_DIR.',
    labelNames: ['folder'],
    read: async ({ config: { SVC_BACKUP_DIR: folder } }) => {
      if (folder === undefined) return [];
      const newest = (await backupsIn(folder).catch(() => [])).at(-1);
      return [[(newest?.at.getTime() ?? 0) / 1_000, { folder }]];
    },
  },
];

function countsBy(label: string, rows: readonly Pick<Waiting, 'name' | 'count'>[] = []): readonly Reading[] {
  return rows.map(({ name, count }) => [count, { [label]: name }]);
}

function agesBy(label: string, rows: readonly Waiting[] = []): readonly Reading[] {
  return rows.map(({ name, oldestSeconds }) => [oldestSeconds, { [label]: name }]);
}

/**
 * Exposes the state of the service to Prometheus; it is read whenever Prometheus asks. Metrics of what is in the database are the
 * same on all instances. While the database is unreachable they are absent, and all others are still served.
 */
export function showState(registry: Registry, deps: StateMetricsDeps): void {
  const { db, availability, activity, now = () => performance.now() } = deps;
  const sampled = <T>(read: (from: Knex) => Promise<T>) => {
    const sample = new Sampled({ read: () => read(db), onFailure: (error) => availability.reportFailure(error), now });
    return async () => (availability.isDown ? undefined : sample.get());
  };
  const state = { ...deps, workload: sampled(readWorkload), connections: sampled(countConnections) };
  for (const { name, help, labelNames = [], read } of METRICS) {
    const gauge: Gauge = new Gauge({
      name: `svc_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const readings = await read(state);
        gauge.reset();
        for (const [value, labels] of readings) gauge.set(labels, value);
      },
    });
  }
  const dropped = new Counter({
    name: 'svc_operations_dropped_total',
    help: 'Entries of the operation log that were dropped: too many at once, or rejected by the database.',
    registers: [registry],
    collect() {
      dropped.reset();
      dropped.inc(activity.dropped);
    },
  });
}
