interface Bench {
  /** @param options.seconds the duration, for benchmarks that let the caller choose it */
  readonly run: (options: { readonly seconds?: number | undefined }) => Promise<void>;
}

/**
 * The benchmarks by name. `npm run bench` runs all of them, `npm run bench -- proxy-latency` only one, and
 * `npm run bench -- operations-retention 600` only one, for 600 seconds. No benchmark writes to the project folder.
 */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  'proxy-throughput': () => import('./proxy-throughput.ts'),
  'proxy-latency': () => import('./proxy-latency.ts'),
  'connection-read': () => import('./connection-read.ts'),
  'connection-import': () => import('./connection-import.ts'),
  'connection-renewal': () => import('./connection-renewal.ts'),
  refreshes: () => import('./refreshes.ts'),
  'refresh-wal': () => import('./refresh-wal.ts'),
  'connection-list': () => import('./connection-list.ts'),
  'large-lists': () => import('./large-lists.ts'),
  operations: () => import('./operations.ts'),
  'operations-retention': () => import('./operations-retention.ts'),
  backup: () => import('./backup.ts'),
  retention: () => import('./retention.ts'),
  'proxy-log': () => import('./proxy-log.ts'),
  'script-run': () => import('./script-run.ts'),
  'api-beside-scripts': () => import('./api-beside-scripts.ts'),
  'webhook-ingress': () => import('./webhook-ingress.ts'),
  idle: () => import('./idle.ts'),
  'start-time': () => import('./start-time.ts'),
  'large-picker': () => import('./large-picker.ts'),
  'slow-browser': () => import('./slow-browser.ts'),
  'catalogue-start': () => import('./catalogue-start.ts'),
  soak: () => import('./soak.ts'),
};

const given = process.argv.slice(2);
const selected = given.filter((word) => !/^\d+$/.test(word));
const seconds = given.filter((word) => !selected.includes(word)).map(Number)[0];
const unknown = selected.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`unknown benchmark: ${unknown.join(', ')}. Available: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}
for (const [name, load] of Object.entries(BENCHES)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  console.log(`\n${name}`);
  const bench = await load();
  await bench.run({ seconds });
}
