import { type Contestant, OURS, OURS_BARE, startContestants } from './contestants.ts';
import { Program, putLoad } from './program.ts';
import { quantile } from './quantile.ts';

const CONNECTIONS = 32;
const SECONDS = 5;
/** A duration after which Node has optimized the measured code. */
const WARM_UP_SECONDS = 6;
const SATURATION_SECONDS = 3;

/** Measures how much longer a call through svc takes than a direct one, at half of the load that svc can bear. */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const upstream = stack.use(await Program.start('upstream'));
  const contestants = await startContestants(stack, `http://127.0.0.1:${upstream.port}`);
  const ours = contestants.find(({ name }) => name === OURS) ?? contestants.find(({ name }) => name === OURS_BARE);
  if (ours === undefined) return;
  const direct = { ...ours, port: upstream.port, path: '/items?page=1' };
  await putLoad({ ...ours, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const full = await putLoad({ ...ours, connections: CONNECTIONS, seconds: SATURATION_SECONDS });
  const requestsPerSecond = Math.round(full.requests / full.seconds / 2);

  const through = await latencies(ours, requestsPerSecond);
  const without = await latencies(direct, requestsPerSecond);
  console.log(`${ours.name}, ${requestsPerSecond} requests/s on ${CONNECTIONS} connections`);
  for (const share of [0.5, 0.99]) {
    const [with_, direct_] = [quantile(through, share), quantile(without, share)];
    const added = (with_ - direct_).toFixed(2);
    console.log(`  p${share * 100}: ${added} ms added (${with_.toFixed(2)} ms proxied, ${direct_.toFixed(2)} ms direct)`);
  }
}

async function latencies({ port, path, headers }: Contestant, requestsPerSecond: number): Promise<readonly number[]> {
  const result = await putLoad({ port, path, headers, connections: CONNECTIONS, seconds: SECONDS, requestsPerSecond });
  return result.latenciesMs;
}
