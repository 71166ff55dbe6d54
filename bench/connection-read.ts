import { Program, putLoad } from './program.ts';
import { median } from './quantile.ts';
import { startOurService } from './service.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const SECONDS = 3;
const WARM_UP_SECONDS = 4;
const GOAL = 0.5;

/**
 * Compares reading a connection whose credentials are fresh with a minimal endpoint that also uses a database: koa, a router, one
 * SELECT.
 */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const upstream = stack.use(await Program.start('upstream'));
  const service = await startOurService(stack, `http://127.0.0.1:${upstream.port}`);
  if (service === undefined) return;
  const bare = stack.use(await Program.start('koa-select', [service.databaseUrl]));
  const ours = {
    port: service.port,
    path: `/connections/${service.connectionId}?provider_config_key=${service.integration}`,
    headers: { authorization: service.headers['authorization'] ?? '' },
  };
  const theirs = { port: bare.port, path: '/connections/1', headers: {} };

  const rate = async (job: typeof ours | typeof theirs, seconds: number) => {
    const result = await putLoad({ ...job, connections: CONNECTIONS, seconds });
    return result.requests / result.seconds;
  };
  for (const job of [theirs, ours]) await rate(job, WARM_UP_SECONDS);
  const rounds: { bare: number; ours: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ bare: await rate(theirs, SECONDS), ours: await rate(ours, SECONDS) });

  console.log(`  koa, router and SELECT, bare      ${median(rounds.map((one) => one.bare)).toFixed(0)} requests/s`);
  console.log(`  svc: GET /connections/{id}        ${median(rounds.map((one) => one.ours)).toFixed(0)} requests/s`);
  const ratio = median(rounds.map((one) => one.ours / one.bare));
  console.log(`    ÷ bare: ${ratio.toFixed(2)} (goal ${GOAL.toFixed(2)})`);
}
