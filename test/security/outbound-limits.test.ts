import { expect } from 'chai';
import { authorize, type Connected, connect, createSession, readConnection, throughProxy } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import type { Behaviour } from '../support/scripted-server/behaviour.ts';
import { isLong } from '../support/size.ts';
import { skipBecause } from '../support/skip.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

/** Responses of the provider that the service cuts off as soon as they are too large. */
const TOO_MUCH: Readonly<Record<string, Behaviour>> = {
  'a body without end': { delivery: 'endless', response: { status: 200, headers: { 'content-type': 'application/json' } } },
  'an error page without end': { delivery: 'endless', response: { status: 500 } },
  'headers beyond 32 KiB': { response: { status: 200, headers: { 'x-long': 'x'.repeat(40_000) }, body: '{}' } },
};
/** Responses of the provider that the service cuts off after 20 seconds, the time limit of a token call. */
const TOO_SLOW: Readonly<Record<string, Behaviour>> = {
  'no response': { delivery: 'hang' },
  'half a response': { delivery: 'stall' },
  'a byte now and then': { delivery: 'drip', response: { status: 200, body: '{"a":1}'.padEnd(2_000) } },
};
const TOKEN_CALL_MS = 20_000;
const MAX_GROWTH_BYTES = 50 * 1024 * 1024;

describe('responses that are too large or too slow', function () {
  this.timeout(60_000);
  const provider = use(this, startFakeProvider);
  const app = use(this, startTenant);
  let connected: Connected;
  before(async () => {
    connected = await connect(app, provider);
  });
  afterEach(() => provider.always('token', {}));

  async function exchange(): Promise<number> {
    return (await authorize(app, { token: await createSession(app, { allowed_integrations: ['fake'] }) })).status;
  }

  for (const [name, behaviour] of Object.entries(TOO_MUCH)) {
    it(`are cut at the token endpoint: ${name}`, async () => {
      const before = process.memoryUsage.rss();
      const startedAt = performance.now();
      provider.next('token', behaviour);
      expect(await exchange()).to.equal(400);
      provider.next('token', behaviour);
      expect((await readConnection(app, connected, '&force_refresh=true')).status).to.be.oneOf([200, 503]);
      // The response was cut off because of its size, not because it took too long.
      expect(performance.now() - startedAt).to.be.below(TOKEN_CALL_MS);
      expect(process.memoryUsage.rss() - before).to.be.below(MAX_GROWTH_BYTES);
      expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
    });
  }

  for (const [name, behaviour] of Object.entries(TOO_SLOW)) {
    it(`are cut at the token endpoint in time: ${name}`, async function () {
      if (!isLong) skipBecause(this, 'takes 20 seconds; TEST_SIZE=long');
      const startedAt = performance.now();
      provider.next('token', behaviour);
      expect(await exchange()).to.equal(400);
      expect(performance.now() - startedAt).to.be.within(TOKEN_CALL_MS - 1_000, TOKEN_CALL_MS + 15_000);
    });
  }
});
