/** `npm run bench` runs all benchmarks, `npm run bench -- proxy-latency` one. Nothing is written to the project folder. */
const BENCHES: Readonly<Record<string, () => Promise<{ readonly run: () => Promise<void> }>>> = {
  'proxy-throughput': () => import('./proxy-throughput.ts'),
  'proxy-latency': () => import('./proxy-latency.ts'),
  'connection-read': () => import('./connection-read.ts'),
  'connection-import': () => import('./connection-import.ts'),
  'connection-renewal': () => import('./connection-renewal.ts'),
  'connection-list': () => import('./connection-list.ts'),
  'large-lists': () => import('./large-lists.ts'),
  operations: () => import('./operations.ts'),
  'proxy-log': () => import('./proxy-log.ts'),
  'script-run': () => import('./script-run.ts'),
  'api-beside-scripts': () => import('./api-beside-scripts.ts'),
  'webhook-ingress': () => import('./webhook-ingress.ts'),
  'idle-memory': () => import('./idle-memory.ts'),
  'start-time': () => import('./start-time.ts'),
  'large-picker': () => import('./large-picker.ts'),
  'catalogue-start': () => import('./catalogue-start.ts'),
};

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`unknown benchmark: ${unknown.join(', ')}. Available: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}
for (const [name, load] of Object.entries(BENCHES)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  console.log(`\n${name}`);
  const bench = await load();
  await bench.run();
}
