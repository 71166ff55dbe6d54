import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { insertEnvironment } from '../../core/tenants/environments/environment-store.ts';
import { sweep } from '../support/canaries.ts';
import { responseChecker } from '../support/openapi.ts';
import { type Received, send } from '../support/raw-http.ts';
import { urlOf } from '../support/requests/api-request.ts';
import type { Names } from '../support/requests/names.ts';
import { type ApiOperation, apiDocument, apiOperations } from '../support/requests/operations.ts';
import { type Garbage, garbage, nearlyValidRequest, validRequest } from '../support/requests/random-request.ts';
import { type Owner, storeKey, storeNames, World } from '../support/requests/world.ts';
import { type SeededRandom, withSeededRandom } from '../support/seeded-random.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';

const REQUESTS = size(1_000, 1_000_000);
const AT_ONCE = 8;
const POLL_MS = 20;
/** The time limit for a request. No request needs nearly as long. */
const MAX_MS = 30_000;
/** The number of requests that use the same objects. It is limited, because requests soon delete or rename some of them. */
const PER_NAMES = 200;
/** Methods that the OpenAPI document cannot describe, and the statuses with which requests are refused before routing. */
const UNDESCRIBED = ['PROPFIND', 'TRACE'];
const BEFORE_ROUTES = [400, 405, 414, 431];
/** The allowed rise of the heap after the first quarter of the requests, which fills all caches. */
const MAX_RISE_MB = size(60, 100);

interface Asked {
  readonly method: string;
  readonly target: string;
  readonly accept: string | undefined;
  /** A description of the whole request, for the message of a failure. */
  readonly what: string;
}

describe('random requests (VER-01)', function () {
  this.timeout(size(120_000, 4 * 3_600_000));
  const world = use(this, () => World.open({ SVC_LOG_LEVEL: 'error' }));
  let owner: Owner & { readonly apiKey: string };
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const check = responseChecker(apiDocument);

  before(async () => {
    owner = await ownerBeyondReach();
  });
  after(() => agent.destroy());

  it(`get documented responses to ${REQUESTS} requests`, () =>
    withSeededRandom(async (random) => {
      const heapBefore = await heapAfter(() => batches(random, REQUESTS / 4));
      const heapAtEnd = await heapAfter(() => batches(random, (REQUESTS * 3) / 4));
      expect(heapAtEnd - heapBefore, 'MB that are not released').to.be.below(MAX_RISE_MB);
      await expectAtRest();
    }));

  /** Creates an environment and a key with IDs that no random request hits, since some requests delete environments and keys. */
  async function ownerBeyondReach() {
    const { app } = world;
    for (const table of ['environments', 'api_keys'])
      await app.database.db.raw(`select setval(pg_get_serial_sequence(?, 'id'), 500000000)`, [table]);
    const { id: environmentId } = await insertEnvironment(app.services.db, { accountId: 1, name: 'beyond-reach' });
    const { secret } = await storeKey(app, { accountId: 1, environmentId });
    return { accountId: 1, environmentId, apiKey: secret, api: app.client(secret) };
  }

  async function batches(random: SeededRandom, count: number): Promise<void> {
    for (let done = 0; done < count; done += PER_NAMES) {
      const names = await storeNames(world.app, owner);
      for (let sent = 0; sent < PER_NAMES; sent += AT_ONCE) {
        const requests = Array.from({ length: AT_ONCE }, () => randomRequest(random, names));
        await Promise.all(requests.map(expectAnswer));
      }
    }
  }

  function randomRequest(random: SeededRandom, names: Names): Garbage {
    const operation = apiOperations[random.below(apiOperations.length)];
    if (operation === undefined) throw new Error('there are no routes');
    const authorization = credential(operation, names, random);
    const kind = random.below(10);
    if (kind === 0) {
      const { headers, ...rest } = garbage(operation, random);
      return { ...rest, headers: { ...authorization, ...headers } };
    }
    const make = kind < 5 ? validRequest : nearlyValidRequest;
    const { body, headers, ...request } = make(operation, names, random);
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return {
      method: request.method,
      target: urlOf(request),
      headers: { ...authorization, ...type, ...headers },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    };
  }

  function credential({ access }: ApiOperation, { sessionToken }: Names, random: SeededRandom): Record<string, string> {
    const { accountKey } = world.app;
    const { apiKey } = owner;
    const wrong = random.below(12);
    if (wrong === 0) return {};
    if (wrong === 1) return { authorization: `Bearer ${random.pick(['x', sessionToken, accountKey, apiKey])}` };
    if (access === 'public') return {};
    if ('session' in access) return { authorization: `Bearer ${sessionToken}` };
    return { authorization: `Bearer ${access.scope.startsWith('account:') ? accountKey : apiKey}` };
  }

  async function expectAnswer({ method, target, headers, body }: Garbage): Promise<void> {
    const what = `${method} ${target} ${JSON.stringify(headers)} ${body?.toString('base64') ?? ''}`;
    const sent = send({
      port: Number(new URL(world.app.url).port),
      method,
      path: target,
      headers: { host: '127.0.0.1', ...headers },
      agent,
      ...(body !== undefined && { body }),
    });
    const late = new AbortController();
    const response = await Promise.race([sent, wait(MAX_MS, undefined, { signal: late.signal, ref: false })]);
    late.abort();
    if (response === undefined) throw new Error(`no response within ${MAX_MS} ms: ${what}`);
    expectDescribed(response, { method, target, what, accept: headers['accept'] });
    if (response.status >= 400)
      expect(sweep({ response: response.body, headers: response.rawHeaders.join('\n') }), what).to.deep.equal([]);
  }

  function expectDescribed(response: Received, { method, target, accept, what }: Asked): void {
    const text = response.body.toString();
    expect([500, 501, 505], `${what}\n${text}`).not.to.include(response.status);
    const isPassedOn = target.startsWith('/proxy/') && response.headers['svc-error'] === undefined;
    if (isPassedOn || method === 'HEAD') return;
    // Pages redirect from a URL with a trailing slash to the URL without it.
    if (response.status === 308) return;
    const contentType = response.headers['content-type'] ?? null;
    const body: unknown = contentType?.includes('json') && text !== '' ? JSON.parse(text) : undefined;
    const isUntaken = response.status === 405;
    const isOfTheEdge = isUntaken || (BEFORE_ROUTES.includes(response.status) && body !== undefined);
    const path = isOfTheEdge && !isUntaken ? '/none' : (target.split('?')[0] ?? '');
    const page = accept?.includes('text/html') ? { headers: response.headers, text } : undefined;
    try {
      // OpenAPI cannot describe some methods. The proxy passes them on like GET, so they are checked as GET.
      check({
        method: UNDESCRIBED.includes(method) && !isOfTheEdge ? 'GET' : method,
        path,
        status: response.status,
        contentType,
        body,
        page,
      });
    } catch (error) {
      throw new Error(`${what}: ${String(error)}`);
    }
  }

  /** Asserts that the service is ready, and that no database connection is in use or waited for any more. */
  async function expectAtRest(): Promise<void> {
    expect((await world.app.api.get('/ready')).status).to.equal(200);
    await world.app.services.activity.flush();
    const { pool } = world.app.services.db.client;
    const deadline = performance.now() + MAX_MS;
    const inUse = () => pool.numUsed() + pool.numPendingAcquires();
    // Jobs for deleted objects may still be running, each with a database connection.
    while (inUse() > 0 && performance.now() < deadline) await wait(POLL_MS);
    expect(inUse(), 'database connections in use').to.equal(0);
  }
});

/** Returns the heap in MB after a garbage collection. */
async function heapAfter(work: () => Promise<void>): Promise<number> {
  await work();
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
