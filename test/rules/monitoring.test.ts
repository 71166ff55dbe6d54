import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { expect } from 'chai';
import type { MetricObject } from 'prom-client';
import { parse } from 'yaml';
import { DEGRADED_CAUSES } from '../../core/api/health.ts';
import { CONNECTION_STATES } from '../../core/connections/connection-health.ts';
import { Counters } from '../../core/journal/counters.ts';
import { showState } from '../../core/operate/metrics/state-metrics.ts';
import { createMetrics } from '../../core/server/metrics.ts';
import { FAULT_CAUSES } from '../../scripts-runtime/protocol.ts';
import { KILLS } from '../../scripts-runtime/script-run.ts';
import { projectFolder } from '../support/source-files.ts';

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

/** Metrics that Prometheus itself adds, and labels that it adds to all. */
const OF_PROMETHEUS = new Set(['up']);
const LABELS_OF_PROMETHEUS = new Set(['job', 'instance', 'le']);

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly labels: ReadonlySet<string>;
}

/** Returns the metrics that the service declares, by name, with those of the process. */
async function declaredMetrics(): Promise<ReadonlyMap<string, Metric>> {
  const { registry, scrape } = createMetrics();
  const away = { isDown: true, reportFailure: () => true };
  const config = { SVC_ROLE: 'all', SVC_BACKUP_DIR: '/backups' } as const;
  new Counters(registry);
  const pool = { numUsed: () => 0, numFree: () => 0, numPendingAcquires: () => 0 };
  // The metrics are only named here, so that nothing is read from the database.
  const db = { client: { pool } } as never;
  const limits = { space: { isFull: false }, clockCheck: { isOff: false } };
  showState(registry, { db, availability: away, ...limits, activity: { dropped: 0 }, version: '1.0.0', config });
  await scrape();
  const metrics = registry.getMetricsAsArray() as (MetricObject & { readonly labelNames?: readonly string[] })[];
  return new Map(metrics.map(({ name, help, labelNames = [] }) => [name, { name, help, labels: new Set(labelNames) }]));
}

interface Selector {
  /** The name of a metric, as a query selects it. */
  readonly name: string;
  /** The labels that the query names anywhere. */
  readonly labels: readonly string[];
  /** The values that its matchers name, apart from regular expressions with more than alternatives. */
  readonly values: readonly string[];
}

/** Returns what a PromQL query selects. @throws Error for a query with a syntax error */
function selectorsOf(query: string): readonly Selector[] {
  const found: { name: string; labels: string[]; values: string[] }[] = [];
  parser.parse(query).iterate({
    enter: ({ name, from, to, type }) => {
      const text = query.slice(from, to);
      if (type.isError) throw new Error(`not PromQL at ${from}: ${query}`);
      const current = found.at(-1);
      if (name === 'Identifier') found.push({ name: text, labels: [], values: [] });
      if (name === 'LabelName') current?.labels.push(text);
      if (name === 'StringLiteral') current?.values.push(...text.slice(1, -1).split('|'));
    },
  });
  return found;
}

function groupingOf(query: string): readonly string[] {
  const labels: string[] = [];
  parser.parse(query).iterate({
    enter: (node) => {
      if (node.name !== 'GroupingLabels') return;
      labels.push(...query.slice(node.from + 1, node.to - 1).split(','));
    },
  });
  return labels.map((label) => label.trim());
}

const DASHBOARD = 'deploy/grafana/dashboard.json';
const ALERTS = 'deploy/prometheus/alerts.yml';

interface Target {
  readonly expr: string;
}

function queriesOfDashboard(): readonly string[] {
  const { panels }: { panels: readonly { targets?: readonly Target[] }[] } = JSON.parse(read(DASHBOARD));
  return panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replace('"$job"', '"svc"')),
  );
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

function alerts(): readonly Alert[] {
  const { groups }: { groups: readonly { rules: readonly Alert[] }[] } = parse(read(ALERTS));
  return groups.flatMap(({ rules }) => rules);
}

describe('what watches the service', () => {
  let metrics: ReadonlyMap<string, Metric>;
  const sources = globSync('core/**/*.ts', { cwd: projectFolder }).map(read).join('\n');

  before(async () => {
    metrics = await declaredMetrics();
  });

  function metricOf(selected: string): Metric | undefined {
    return metrics.get(selected) ?? metrics.get(selected.replace(/_(?:bucket|sum|count)$/, ''));
  }

  const queries = [
    ...queriesOfDashboard().map((query) => [DASHBOARD, query] as const),
    ...alerts().map(({ expr }) => [ALERTS, expr] as const),
  ];
  for (const [file, query] of queries)
    it(`asks for what exists: ${query} (${file})`, () => {
      const selectors = selectorsOf(query);
      expect(selectors).not.to.deep.equal([]);
      const known = new Set(LABELS_OF_PROMETHEUS);
      for (const { name, labels, values } of selectors) {
        if (OF_PROMETHEUS.has(name)) continue;
        const metric = metricOf(name) ?? expect.fail(`there is no metric ${name}`);
        for (const label of metric.labels) known.add(label);
        for (const label of labels) expect([...known], `labels of ${name}`).to.include(label);
        for (const value of values.filter((one) => /^[a-z_-]+$/.test(one) && one !== 'svc'))
          expect(sources, `no code has the value ${value}`).to.contain(`'${value}'`);
      }
      for (const label of groupingOf(query)) expect([...known]).to.include(label);
    });

  it('has an alert of its own name for each case, with a severity and a summary', () => {
    const names = alerts().map(({ alert }) => alert);
    expect(new Set(names).size).to.equal(names.length);
    for (const { alert, labels, annotations } of alerts()) {
      expect(alert).to.match(/^Svc[A-Z]\w+$/);
      expect(labels.severity, alert).to.be.oneOf(['page', 'ticket']);
      expect(annotations.summary, alert).to.match(/\.$/);
    }
  });

  it('is described in docs/monitoring.md: the values of labels that the code lists', () => {
    const page = read('docs/monitoring.md');
    for (const value of [...CONNECTION_STATES, ...KILLS, ...FAULT_CAUSES, ...DEGRADED_CAUSES])
      expect(page).to.contain(`\`${value}\``);
  });

  it('is described in docs/monitoring.md: each metric with its labels and its help', () => {
    const own = [...metrics.values()].filter(({ name }) => name.startsWith('svc_'));
    const rows = read('docs/monitoring.md').matchAll(/^\| `(svc_\w+)`\s*\| ([^|]*?)\s*\| ([^|]*?)\s*\|$/gm);
    const documented = Array.from(rows, ([, name, labels = '', help]) => ({
      name,
      labels: labels.replaceAll(/[`,]/g, '').split(' ').filter(Boolean),
      help,
    }));
    expect(documented).to.have.deep.members(own.map(({ name, labels, help }) => ({ name, labels: [...labels], help })));
  });
});
