import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { openDatabase } from '../core/db/database.ts';
import { createLogger } from '../core/kit/logger.ts';
import { createHook, makeHooked, signatureOf } from '../test/support/hooked.ts';
import { type Load, Program, putLoad } from './program.ts';
import { median, quantile } from './quantile.ts';
import { startOurService } from './service.ts';

/** The network connections on which the provider sends deliveries at once; svc writes deliveries of the same moment together. */
const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 3;
const WARM_UP_SECONDS = 4;
const GOAL = 0.4;
const HANGING_SECONDS = 10;
const HANGING_PER_SECOND = 200;
const GOAL_P99_MS = 50;
const DRAINED_POLL_MS = 200;

/** A payload of about the size that an issue tracker sends. */
const BODY = JSON.stringify({
  webhookEvent: 'issue_updated',
  issue: { id: '10001', self: 'https://acme.example/rest/api/2/issue/10001', fields: { summary: 'x'.repeat(1_500) } },
  changelog: { items: Array.from({ length: 5 }, (_, at) => ({ field: `field-${at}`, from: 'old', to: 'new' })) },
});

/**
 * Compares the rate at which svc accepts deliveries with that of a server that only stores bodies, and measures latency while the
 * application hangs.
 */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const upstream = stack.use(await Program.start('upstream'));
  const hanging = stack.use(await Program.start('hanging'));
  const hooked = stack.use(await makeHooked());
  const service = await startOurService(stack, `http://127.0.0.1:${upstream.port}`, hooked.env);
  if (service === undefined) return;
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, queryTimeoutMs: 0, log: createLogger({ level: 'silent' }) });
  stack.defer(() => db.destroy());
  const bare = stack.use(await Program.start('koa-insert', [service.databaseUrl]));

  const environment = await db('environments').where({ id: 1 }).first('uuid');
  const hook = await createHook(service.api, environment.uuid);
  const common = { path: hook.path, body: BODY, idHeader: 'x-hook-id' };
  const headers = { 'content-type': 'application/json', ...signatureOf(hook, BODY) };
  const ours = { ...common, port: service.port, headers };
  await compare(db, { ...ours, port: bare.port }, ours);

  await db('environments')
    .where({ id: 1 })
    .update({ webhook_url: `http://127.0.0.1:${hanging.port}` });
  const load = { ...ours, connections: CONNECTIONS, seconds: HANGING_SECONDS, requestsPerSecond: HANGING_PER_SECOND };
  const { latenciesMs } = await putLoad(load);
  const [p50, p99] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
  const figures = `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms (goal ${GOAL_P99_MS} ms)`;
  console.log(`  while the application hangs, ${HANGING_PER_SECOND}/s: ${figures}`);
}

type Job = Omit<Load, 'connections' | 'seconds'>;

async function compare(db: Knex, theirs: Job, ours: Job): Promise<void> {
  const rate = async (job: Job, seconds: number) => {
    const result = await putLoad({ ...job, connections: CONNECTIONS, seconds });
    await drained(db);
    return result.requests / result.seconds;
  };
  for (const job of [theirs, ours]) await rate(job, WARM_UP_SECONDS);
  const rounds: { bare: number; ours: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ bare: await rate(theirs, SECONDS), ours: await rate(ours, SECONDS) });
  console.log(`  koa, router and INSERT, bare         ${median(rounds.map((one) => one.bare)).toFixed(0)} requests/s`);
  console.log(`  svc: signed webhooks, each matched   ${median(rounds.map((one) => one.ours)).toFixed(0)} requests/s`);
  console.log(`    ÷ bare: ${median(rounds.map((one) => one.ours / one.bare)).toFixed(2)} (goal ${GOAL.toFixed(2)})`);
}

/** Waits until all accepted deliveries are processed. This happens after the responses and must not slow the next contestant. */
async function drained(db: Knex): Promise<void> {
  while ((await db('webhook_deliveries').first('id')) !== undefined) await wait(DRAINED_POLL_MS);
}
