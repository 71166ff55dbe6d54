import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { authorize, type Connected, connect, createSession, readConnection, throughProxy } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import type { ClientResponse } from '../support/http-client.ts';
import type { Behaviour } from '../support/scripted-server/behaviour.ts';
import { type SeededRandom, withSeededRandom } from '../support/seeded-random.ts';
import { size } from '../support/size.ts';
import { RESPONSES_WITHOUT_TOKEN } from '../support/token-responses.ts';
import { use } from '../support/use.ts';

const ROUNDS = size(100, 100_000);
/** Longer than the service waits for a provider. */
const MAX_MS = 45_000;

const STATUSES = [
  200, 200, 200, 201, 202, 203, 204, 205, 206, 207, 226, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 407,
  408,
] as const;
/** 421 is left out: `fetch` repeats the call (Fetch standard), and in Node.js never ends if the repeated call is reset. */
const MORE_STATUSES = [
  409, 410, 411, 413, 415, 418, 422, 423, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 507, 511, 520, 599, 600,
  799, 999,
] as const;
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/html',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  '',
  'x',
  'application/json;;;',
] as const;
const CODINGS = ['identity', 'gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'x', ''] as const;
const HEADERS = [
  'retry-after',
  'location',
  'set-cookie',
  'www-authenticate',
  'link',
  'content-length',
  'x-ratelimit-reset',
  'content-disposition',
  'connection',
  'svc-error',
] as const;
const VALUES = [
  '',
  '0',
  '-1',
  '1e9',
  'x'.repeat(5_000),
  'https://evil.example/',
  '//evil.example',
  'a=b; Path=/',
  'Wed, 21 Oct 2099 07:28:00 GMT',
  'never',
  '"',
  '\u00e9',
] as const;
const MEMBERS = [
  'access_token',
  'refresh_token',
  'expires_in',
  'expires_at',
  'token_type',
  'scope',
  'error',
  'error_description',
  'id_token',
  'raw',
  '__proto__',
] as const;
const ODD = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  'abc',
  '3600',
  [],
  {},
  ['a'],
  { a: 1 },
  'x'.repeat(20_000),
  '\u0000',
  '\ud800',
  '🦊',
  'NaN',
  '2099-01-01',
  'a\r\nb',
] as const;
const DELIVERIES = ['whole', 'whole', 'whole', 'whole', 'reset', 'reset_inside', 'truncate'] as const;

function randomBody(random: SeededRandom): string | Buffer {
  switch (random.below(6)) {
    case 0:
      return random.bytes(random.below(300));
    case 1: {
      const [, body] = RESPONSES_WITHOUT_TOKEN[random.below(RESPONSES_WITHOUT_TOKEN.length - 2)] ?? ['', ''];
      return body;
    }
    case 2:
      return gzipSync(JSON.stringify(randomMembers(random)));
    case 3:
      return new URLSearchParams(
        Object.entries(randomMembers(random)).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString();
    default:
      return JSON.stringify(randomMembers(random));
  }
}

function randomMembers(random: SeededRandom): Record<string, unknown> {
  const count = random.below(5);
  const odd = Array.from({ length: count }, () => [random.pick(MEMBERS), random.pick(ODD)] as const);
  return Object.fromEntries([['access_token', 'abcdefgh'], ...odd]);
}

/** Returns a random behaviour. One in eight is a token response, so that credentials change. */
function randomBehaviour(random: SeededRandom): Behaviour {
  if (random.below(8) === 0) return { members: randomMembers(random) };
  const headers = Object.fromEntries(Array.from({ length: random.below(4) }, () => [random.pick(HEADERS), random.pick(VALUES)]));
  const status = random.pick([random.pick(STATUSES), random.pick(MORE_STATUSES)]);
  return {
    response: {
      status,
      headers: {
        'content-type': random.pick(TYPES),
        ...(random.below(4) === 0 && { 'content-encoding': random.pick(CODINGS) }),
        ...headers,
      },
      body: randomBody(random),
    },
    delivery: random.pick(DELIVERIES),
  };
}

describe('random responses of a provider (VER-01)', function () {
  this.timeout(size(300_000, 4 * 3_600_000));
  const app = use(this, () => startApp({ env: { SVC_LOG_LEVEL: 'warn' } }));
  const provider = use(this, () => startFakeProvider({ openApi: true }));
  let connected: Connected;

  before(async () => {
    connected = await connect(app, provider);
  });

  it(`are reported correctly or passed on: ${ROUNDS} rounds`, () =>
    withSeededRandom(async (random) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        provider.always('token', randomBehaviour(random));
        expectReported(await timed(() => readConnection(app, connected, '&force_refresh=true')), random);
        await inTime('connecting', () => expectConnectReported(random));
        provider.always('api', randomBehaviour(random));
        expectPassedOn(await timed(() => proxied(random)), random);
        provider.always('token', {});
        provider.always('api', {});
        await inTime('the clock', () => app.clock.advance(120_000, app.database.db));
      }
      expect((await app.api.get('/ready')).status).to.equal(200);
      expect(app.logLines.filter((line) => line.includes('"a request failed"'))).to.deep.equal([]);
    }));

  /** Returns the response, checked against the OpenAPI document; undefined if it was cut off or is invalid JSON. */
  async function timed(call: () => Promise<ClientResponse>): Promise<ClientResponse | undefined> {
    return inTime('a call', async () =>
      call().catch((error: unknown) => {
        if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
        throw error;
      }),
    );
  }

  /** Runs work that must end in time. @throws Error if it does not, so that the test fails and prints its seed */
  async function inTime<T>(what: string, work: () => Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`${what} took more than ${MAX_MS} ms`)), MAX_MS);
    try {
      return await Promise.race([work(), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  function proxied(random: SeededRandom): Promise<ClientResponse> {
    const method = random.pick(['GET', 'POST', 'PUT', 'DELETE', 'HEAD']);
    const body = method === 'POST' || method === 'PUT' ? { a: 1 } : undefined;
    return throughProxy(app, connected, { path: '/me', method, body });
  }

  async function expectConnectReported(random: SeededRandom): Promise<void> {
    if (random.below(4) !== 0) return;
    const token = await createSession(app, { allowed_integrations: ['fake'] });
    const page = await authorize(app, { token });
    expect([200, 400], page.text).to.include(page.status);
  }

  function expectReported(response: ClientResponse | undefined, { seed }: SeededRandom): void {
    expect([200, 424, 503], `${response?.text} (seed ${seed})`).to.include(response?.status);
  }

  /** Asserts that a response is the provider's, whole or cut off, or an error in which the service blames the provider. */
  function expectPassedOn(response: ClientResponse | undefined, { seed }: SeededRandom): void {
    const code = response?.headers.get('svc-error');
    if (code === undefined || code === null || response?.body?.error === undefined) return;
    expect(
      ['provider_unreachable', 'provider_unavailable', 'provider_timeout', 'invalid_credentials', ...PASSED],
      `seed ${seed}`,
    ).to.include(code);
  }
});

/** Values of the header `svc-error` that the random provider itself may send. */
const PASSED: readonly string[] = VALUES;
