import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { type Connected, connect } from '../support/connect.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { client } from '../support/http-client.ts';
import { type Exit, type ServiceProcess, startServices } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { size } from '../support/size.ts';

const REQUESTS_PER_SECOND = size(60, 200);
const SECONDS = size(4, 30);
const STOP_AFTER_SECONDS = 1;
const TOKEN_CALL_MS = 300;
const EXIT_MS = 30_000;

describe('SIGTERM under load', () => {
  let database: TestDatabase;
  let provider: FakeProvider;
  let instances: ServiceProcess[];
  let key: string;
  let connected: Connected;

  before(async () => {
    database = await cloneDatabase();
    provider = await startFakeProvider();
    const env = { ...newServiceEnv(), DATABASE_URL: database.url };
    key = env.SVC_BOOTSTRAP_API_KEY;
    instances = await startServices(2, { env });
    const [first] = instances;
    if (first === undefined) throw new Error('nothing started');
    connected = await connect({ url: first.url, api: client(first.url, key) }, provider);
    provider.always('token', { delayMs: TOKEN_CALL_MS });
  });
  after(async () => {
    await Promise.all((instances ?? []).map((instance) => instance.stop()));
    await provider?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  it('fails no request that was accepted, gives back every lease and exits with 0', async function () {
    this.timeout(SECONDS * 1_000 + 60_000);
    const answers: Promise<number | string>[] = [];
    let stopped: Promise<{ exit: Exit; ms: number }> | undefined;
    const total = REQUESTS_PER_SECOND * SECONDS;
    for (let number = 0; number < total; number += 1) {
      answers.push(roundRobin(number));
      if (number === REQUESTS_PER_SECOND * STOP_AFTER_SECONDS) stopped = stopFirst();
      await wait(1_000 / REQUESTS_PER_SECOND);
    }
    const failed = (await Promise.all(answers)).filter((answer) => answer !== 200);
    expect(failed, `${failed.length} of ${total} failed`).to.deep.equal([]);
    const end = await stopped;
    expect(end?.exit).to.deep.equal({ code: 0, signal: null });
    expect(end?.ms).to.be.below(EXIT_MS);
    expect(await database.db('connections').whereNotNull('refresh_owner').select('id')).to.deep.equal([]);
    expect(provider.ledger.of('token').length, 'token calls ran all the time').to.be.greaterThan(SECONDS);
  });

  async function stopFirst(): Promise<{ exit: Exit; ms: number }> {
    const [first] = instances;
    const begun = performance.now();
    first?.signal('SIGTERM');
    const exit = (await first?.exit) ?? { code: null, signal: null };
    return { exit, ms: performance.now() - begun };
  }

  /** An instance that takes no connection is passed over; whatever else goes wrong counts. */
  async function roundRobin(number: number): Promise<number | string> {
    for (let next = number; next < number + instances.length; next += 1) {
      const base = instances[next % instances.length]?.url ?? '';
      try {
        return await call(base, number);
      } catch (error) {
        const code = codeOf(error);
        if (code !== 'ECONNREFUSED') return code;
      }
    }
    return 'no instance takes connections';
  }

  async function call(base: string, number: number): Promise<number> {
    const api = client(base, key);
    const address = `/connections/${connected.connectionId}?provider_config_key=${connected.key}`;
    const headers = { 'provider-config-key': connected.key, 'connection-id': connected.connectionId };
    const kinds = [
      () => api.get('/proxy/me', { headers }),
      () => api.get(address),
      () => api.get('/connections?limit=10'),
      () => api.get(`${address}&force_refresh=true`),
    ];
    const answer = await (kinds[number % kinds.length] ?? kinds[0])?.();
    return answer?.status ?? 0;
  }
});

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error);
}
