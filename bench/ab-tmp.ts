import { startOurService as startB } from './service.ts';
import { Program, putLoad } from './program.ts';
import { cpuSeconds } from './process-tree.ts';
const { startOurService: startA } = await import('/tmp/treeA/bench/service.ts' as string);
await using stack = new AsyncDisposableStack();
const upstream = stack.use(await Program.start('upstream'));
const url = `http://127.0.0.1:${upstream.port}`;
const a = await startA(stack, url), b = await startB(stack, url);
console.log(Object.keys(b as object));
const cost = async (s: any, seconds: number) => { const before = await cpuSeconds(s.pid); const r = await putLoad({ port: s.port, path: '/proxy/items?page=1', headers: s.headers, connections: 16, seconds }); return ((await cpuSeconds(s.pid)) - before) / r.requests * 1e6; };
for (const s of [a, b]) await cost(s, 4);
const ratios: number[] = [];
for (let i = 0; i < Number(process.env['ROUNDS'] ?? 8); i++) {
  const [a1, b1, b2, a2] = [await cost(a, 3), await cost(b, 3), await cost(b, 3), await cost(a, 3)];
  const r = (b1 + b2) / (a1 + a2); ratios.push(r); console.log(i, a1.toFixed(0), b1.toFixed(0), b2.toFixed(0), a2.toFixed(0), r.toFixed(3));
}
const m = ratios.reduce((x, y) => x + y) / ratios.length; const sd = Math.sqrt(ratios.reduce((x, y) => x + (y - m) ** 2, 0) / (ratios.length - 1));
const h = 2.365 * sd / Math.sqrt(ratios.length); console.log('ratio', m.toFixed(3), '95%', (m - h).toFixed(3), (m + h).toFixed(3));
process.exit(0);
