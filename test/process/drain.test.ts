import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { type Connected, connect } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { startFakeApplication } from '../support/fake-application.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { createHook, type Hook, hookSender, makeHooked } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { type Exit, startServices } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { size } from '../support/size.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { deploy } from '../support/user-scripts.ts';

const REQUESTS_PER_SECOND = size(60, 200);
const SECONDS = size(4, 30);
const STOP_AFTER_SECONDS = 1;
/** How long after the signal a stopping instance begins to close idle connections. */
const NOTICE_MS = 1_000;
const TOKEN_CALL_MS = 300;
/** The response time of the application, long enough that webhooks are on their way to it whenever the signal comes. */
const APPLICATION_MS = 400;
const DELIVERIES_BEFORE = 5;
/**
 * The time limit for sending all webhooks. It is long because the application is slow and only a few are sent to it at a time.
 */
const DELIVERED_WITHIN_MS = size(45_000, 180_000);
const EXIT_MS = 30_000;
/** The number of kinds of requests that `call` sends, and the index of the kind that is a delivery from the provider. */
const KINDS = 6;
const HOOK_KIND = 4;

const CROSSED = ['ECONNRESET', 'UND_ERR_SOCKET'];
const IMPORTED = { type: 'OAUTH2', access_token: 'an imported token' };
const SCRIPT = `export default async (svc) => {
  await svc.getMetadata();
  await new Promise((go) => setTimeout(go, 100));
};`;

describe('SIGTERM under load', function () {
  const database = use(this, cloneDatabase);
  const provider = use(this, startFakeProvider);
  const application = use(this, startFakeApplication);
  const hooked = use(this, makeHooked);
  const env = newServiceEnv();
  const instances = use(this, () => startServices(2, { env: { ...env, ...hooked.env, DATABASE_URL: database.url } }));
  let hook: Hook;
  let connected: Connected;
  let signalledAt = Number.POSITIVE_INFINITY;

  before(async () => {
    const [first] = instances.all;
    if (first === undefined) throw new Error('nothing started');
    const api = client(first.url, env.SVC_BOOTSTRAP_API_KEY);
    connected = await connect({ url: first.url, api }, provider);
    await enableWebhooks(database.db, { webhook_url: application.url });
    hook = await createHook(api, (await database.db('environments').first('uuid')).uuid);
    // Each import runs two scripts: its request waits for the first to finish, but not for the second.
    for (const event of ['validate-connection', 'post-connection-creation'] as const)
      await deploy({ url: first.url, api }, { event, source: SCRIPT });
    application.always('webhook', { delayMs: APPLICATION_MS });
    provider.always('token', { delayMs: TOKEN_CALL_MS });
  });

  it('SHD-01: fails no request that was accepted, loses no webhook, gives back every lease and exits with 0', async function () {
    this.timeout(SECONDS * 1_000 + 2 * DELIVERED_WITHIN_MS);
    const responses: Promise<number | string>[] = [];
    let stopped: Promise<{ exit: Exit; ms: number }> | undefined;
    const total = REQUESTS_PER_SECOND * SECONDS;
    for (let number = 0; number < total; number += 1) {
      responses.push(roundRobin(number));
      if (number === REQUESTS_PER_SECOND * STOP_AFTER_SECONDS) stopped = stopFirst();
      await wait(1_000 / REQUESTS_PER_SECOND);
    }
    const failed = (await Promise.all(responses)).filter((response) => response !== 200);
    expect(failed, `${failed.length} of ${total} failed`).to.deep.equal([]);
    const end = await stopped;
    expect(end?.exit).to.deep.equal({ code: 0, signal: null });
    expect(end?.ms).to.be.below(EXIT_MS);
    expect(await database.db('refreshes').whereNotNull('owner')).to.deep.equal([]);
    expect(provider.ledger.of('token').length, 'token calls ran all the time').to.be.greaterThan(SECONDS);
    const numbers = Array.from({ length: total }, (_, number) => number).filter((number) => number % KINDS === HOOK_KIND);
    await until('every webhook that was accepted', () => received().size === numbers.length, DELIVERED_WITHIN_MS);
    expect([...received().keys()]).to.have.members(numbers);
    const imported = numbers.length;
    await until('every script of a creation', async () => (await creationRuns()) >= imported, DELIVERED_WITHIN_MS);
    for (const [number, ids] of received()) expect(ids, `copies of ${number}`).to.have.property('size', 1);
  });

  async function creationRuns(): Promise<number> {
    const runs = database.db('script_runs').join('scripts', 'scripts.id', 'script_runs.script_id');
    const rows = await runs.where({ event: 'post-connection-creation', status: 'done' }).distinct('connection_id');
    return rows.length;
  }

  /** Returns the IDs of the webhooks that the application received, by the number in the provider's delivery. */
  function received(): ReadonlyMap<number, ReadonlySet<string>> {
    const ids = new Map<number, Set<string>>();
    for (const { body, headers } of application.ledger.entries) {
      const { payload } = JSON.parse(body.toString());
      if (payload === undefined) continue; // a webhook about an import, not about a delivery
      const { number } = payload;
      ids.set(number, (ids.get(number) ?? new Set()).add(String(headers['webhook-id'])));
    }
    return ids;
  }

  async function stopFirst(): Promise<{ exit: Exit; ms: number }> {
    const [first] = instances.all;
    await application.ledger.arrived('webhook', DELIVERIES_BEFORE);
    const isUnderWay = () => application.ledger.entries.some(({ outcome }) => outcome === 'unknown');
    await until('deliveries are under way', isUnderWay);
    const begun = performance.now();
    signalledAt = begun;
    first?.signal('SIGTERM');
    const exit = (await first?.exit) ?? { code: null, signal: null };
    return { exit, ms: performance.now() - begun };
  }

  /**
   * Sends a request to the first instance that accepts it. An instance that refuses the connection is skipped. So is a stopping
   * one that closes the connection while the request is on its way, because it has not accepted the request (RFC 9112 §9.5). If
   * it processed the request all the same, the application would get two copies of a webhook, which the test would notice.
   *
   * @returns the status of the response, or the code of any other error
   */
  async function roundRobin(number: number): Promise<number | string> {
    for (let next = number; next < number + instances.all.length; next += 1) {
      const base = instances.all[next % instances.all.length]?.url ?? '';
      try {
        return await call(base, number);
      } catch (error) {
        const code = codeOf(error);
        const isClosing = performance.now() >= signalledAt + NOTICE_MS;
        if (code !== 'ECONNREFUSED' && !(isClosing && CROSSED.includes(code))) return code;
      }
    }
    return 'no instance takes connections';
  }

  async function call(base: string, number: number): Promise<number> {
    const api = client(base, env.SVC_BOOTSTRAP_API_KEY);
    const address = `/connections/${connected.connectionId}?provider_config_key=${connected.key}`;
    const headers = { 'provider-config-key': connected.key, 'connection-id': connected.connectionId };
    const kinds = [
      () => api.get('/proxy/me', { headers }),
      () => api.get(address),
      () => api.get('/connections?limit=10'),
      () => api.get(`${address}&force_refresh=true`),
      () => hookSender(api, hook)({ number }),
      () => api.post('/connections', { provider_config_key: 'fake', connection_id: `imported-${number}`, credentials: IMPORTED }),
    ];
    const response = await (kinds[number % KINDS] ?? kinds[0])?.();
    return response?.status ?? 0;
  }
});

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error);
}
