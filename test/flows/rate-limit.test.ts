import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { type Connected, connect, createSession, throughProxy } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { relayTo } from '../support/database-relay.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import type { Client, ClientResponse } from '../support/http-client.ts';
import { noticesArrived } from '../support/notices.ts';
import { rawExchange } from '../support/raw-tcp.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { expectError } from '../support/std-error.ts';
import { storeKey } from '../support/stored.ts';
import { use } from '../support/use.ts';

const LIMIT = 40;
const MINUTE_MS = 60_000;
const limited = { SVC_RATE_LIMIT_PER_MINUTE: String(LIMIT) };

/** Advances the clocks to the start of a minute in which no request has been counted yet. */
async function nextMinute(...apps: readonly TestApp[]): Promise<void> {
  const nowMs = apps[0]?.clock.now().getTime();
  for (const app of apps) await app.clock.nextMinute(nowMs);
}

async function freshClient(app: TestApp, ...scopes: readonly string[]): Promise<Client> {
  return app.client((await storeKey(app, scopes.length > 0 ? scopes : ['environment:*'])).secret);
}

/** Sends requests at the same time. @returns how many of them were not refused by the limit */
async function allowedCount(clients: readonly Client[], count: number): Promise<number> {
  const requests = Array.from({ length: count }, (_, index) => clients[index % clients.length]?.get('/providers/none'));
  const responses = await Promise.all(requests);
  return responses.filter((response) => response?.status !== 429).length;
}

function limitOf({ headers }: ClientResponse): (string | null)[] {
  return ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
}

describe('the limit of requests per API key (RAT-01)', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startApp({ env: limited }));
  let connected: Connected;
  before(async () => {
    connected = await connect(app, provider);
  });
  beforeEach(() => nextMinute(app));

  const reset = () => String(Math.ceil((app.clock.now().getTime() + 1) / MINUTE_MS) * 60);

  it('is stated in every response', async () => {
    const client = await freshClient(app, 'environment:connections:list');
    expect(limitOf(await client.get('/connections'))).to.deep.equal([String(LIMIT), String(LIMIT - 1), reset()]);
    const refusals = [
      ['forbidden', await client.get('/integrations')],
      ['invalid_query_params', await client.get('/connections?nope=1')],
      ['forbidden', await client.get('/proxy/me')],
    ] as const;
    for (const [index, [code, response]] of refusals.entries()) {
      expectError(response, code);
      expect(limitOf(response)).to.deep.equal([String(LIMIT), String(LIMIT - 2 - index), reset()]);
    }
  });

  it('is stated in proxied responses', async () => {
    const response = await throughProxy(app, connected, { path: '/me' });
    expect(response.status).to.equal(200);
    expect(limitOf(response)).to.deep.equal([String(LIMIT), String(LIMIT - 1), reset()]);
  });

  it('is stated with a refused upgrade', async () => {
    const { secret } = await storeKey(app, ['environment:proxy']);
    const upgrade = 'GET /proxy/x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
    const head = `${upgrade}Authorization: Bearer ${secret}\r\n\r\n`;
    const { bytes } = await rawExchange(Number(new URL(app.url).port), head, 2_000);
    expect(bytes.toString('latin1')).to.match(/^HTTP\/1\.1 400 [\s\S]*\r\nX-RateLimit-Remaining: 39\r\n/);
  });

  it('counts each key separately, and begins anew with each minute', async () => {
    const client = await freshClient(app);
    expect(await allowedCount([client], LIMIT + 5)).to.equal(LIMIT);
    const refused = await client.get('/connections');
    expectError(refused, 'too_many_request');
    expect(limitOf(refused)).to.deep.equal([String(LIMIT), '0', reset()]);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(30, 60);
    expectError(await client.get('/proxy/me'), 'too_many_request');
    expect((await (await freshClient(app)).get('/connections')).status).to.equal(200);
    await nextMinute(app);
    expect((await client.get('/connections')).status).to.equal(200);
  });

  it('counts on each instance separately', async () => {
    await using database = await cloneDatabase();
    const env = { ...newServiceEnv(), ...limited };
    await using one = await startApp({ env, database });
    await using two = await startApp({ env, database });
    const { secret } = await storeKey(one, ['environment:*']);
    await nextMinute(one, two);
    for (const each of [one, two]) expect(await allowedCount([each.client(secret)], LIMIT + 5)).to.equal(LIMIT);
  });

  it('holds for account keys too', async () => {
    const response = await app.client(app.accountKey).get('/environments');
    expect(limitOf(response)[1]).to.equal(String(LIMIT - 1));
  });

  it('does not apply to session tokens, to wrong keys and where no key is needed', async () => {
    const token = await createSession(app);
    for (const response of [
      await app.client(token).get('/integrations'),
      await app.client('svc_sk_unknown').get('/connections'),
      await app.client().get('/health'),
    ]) {
      expect(limitOf(response)).to.deep.equal([null, null, null]);
    }
  });

  it('is not mentioned when none is configured', async () => {
    await using unlimited = await startApp();
    expect(limitOf(await unlimited.api.get('/connections'))).to.deep.equal([null, null, null]);
    expect(unlimited.services.keyLimit).to.equal(undefined);
  });
});

describe('the limit of requests per API key, without a database', () => {
  it('still holds', async () => {
    await using database = await cloneDatabase();
    await using relay = await relayTo(database);
    await using app = await startApp({ env: limited, database: relay.database });
    const client = await freshClient(app);
    await nextMinute(app);
    await noticesArrived(app.services);
    expect((await client.get('/providers/none')).status).to.equal(404);
    relay.cut();
    expect(await allowedCount([client], 2 * LIMIT)).to.equal(LIMIT - 1);
    relay.restore();
  });
});
