import { Agent } from 'node:http';
import { expect } from 'chai';
import { newApiKey } from '../../core/kit/random-id.ts';
import { ApiKeyReader, createKey, revoke } from '../../core/tenants/api-keys/api-keys.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { rememberSecret } from '../support/canaries.ts';
import { cloneDatabase } from '../support/database.ts';
import { mannWhitneyP } from '../support/mann-whitney.ts';
import { send } from '../support/raw-http.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { isLong, size } from '../support/size.ts';
import { storeKey } from '../support/stored.ts';
import { use } from '../support/use.ts';

const REVOKED_WITHIN_MS = 10_000;
const SAMPLES = size(300, 50_000);
/** The significance level: by chance, one run in a hundred falls below it, and three in a row once in a million times. */
const P = 0.01;
const RUNS = 3;

describe('an API key (AUT-03)', function () {
  this.timeout(size(30_000, 30 * 60_000));
  const database = use(this, cloneDatabase);
  const env = { ...newServiceEnv(), SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0' };
  const one = use(this, () => startApp({ env, database }));
  const two = use(this, () => startApp({ env, database }));

  async function ask(app: TestApp, key: string, agent: Agent): Promise<number> {
    const headers = { host: '127.0.0.1', authorization: `Bearer ${key}` };
    return (await send({ port: Number(new URL(app.url).port), path: '/integrations', headers, agent })).status;
  }

  it('stops working soon after it was revoked, even on connections that use it all the time', async () => {
    const { id, secret } = await storeKey(one, ['environment:*']);
    const agents = [one, two].flatMap((app) =>
      Array.from({ length: 3 }, () => ({ app, agent: new Agent({ keepAlive: true, maxSockets: 1 }) })),
    );
    for (const { app, agent } of agents) expect(await ask(app, secret, agent)).to.equal(200);
    await revoke(one.services, { id, environmentId: 1 });
    const begun = performance.now();
    await Promise.all(
      agents.map(async ({ app, agent }) => {
        while ((await ask(app, secret, agent)) === 200) expect(performance.now() - begun).to.be.below(REVOKED_WITHIN_MS);
        for (let again = 0; again < 20; again += 1) expect(await ask(app, secret, agent)).to.equal(401);
      }),
    );
    for (const { agent } of agents) agent.destroy();
  });

  it('is never confused with the previous key on the same connection', async () => {
    const { secret } = await storeKey(one, ['environment:*']);
    const others = [
      newApiKey(),
      `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`,
      `${secret}A`,
      secret.slice(0, -1),
      secret.toLowerCase(),
    ];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const other of others) {
      expect(await ask(one, secret, agent)).to.equal(200);
      expect(await ask(one, other, agent)).to.equal(401);
    }
    agent.destroy();
  });

  it('is replaced by another without a moment in which neither works', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const owner = { accountId: 1, environmentId: 1 };
    const old = await storeKey(one, ['environment:*']);
    const fresh = await createKey(one.services, owner, { name: 'rotated', scopes: ['environment:*'] });
    rememberSecret('rotated key', fresh.secret);
    for (const app of [one, two]) expect(await ask(app, fresh.secret, agent)).to.equal(200);
    await revoke(one.services, { id: old.id, environmentId: 1 });
    for (const app of [one, two]) expect(await ask(app, fresh.secret, agent)).to.equal(200);
    agent.destroy();
  });

  it('is refused in the same time if it is wrong, however much of it is right', async () => {
    const { secret } = await storeKey(one, ['environment:*']);
    using reader = new ApiKeyReader({ ...one.services, lastUsed: { touch: () => undefined } });
    const last = { p: 0 };
    for (let run = 0; run < RUNS && last.p <= P; run += 1) last.p = await compare(reader, secret);
    // A few hundred samples show only that the measurement works. That nothing leaks takes the many samples of a long run.
    expect(last.p).to.be.above(isLong ? P : 1e-6);
  });

  for (const [hearsNotices, stillMs, endMs] of [
    [false, 1_800, 2_000],
    [true, 9_000, 10_000],
  ] as const) {
    it(`ends within ${endMs / 1_000} s of its revocation where ${hearsNotices ? 'a notice was lost' : 'no notices arrive'}`, async () => {
      const { id, secret } = await storeKey(one, ['environment:*']);
      let nowMs = 1_000;
      const notices = { ...one.services.notices, subscribe: () => () => undefined };
      const given = { ...one.services, lastUsed: { touch: () => undefined }, instances: { hearsNotices }, notices };
      using reader = new ApiKeyReader({ ...given, now: () => nowMs });
      expect(await reader.callerOf(secret)).not.to.equal(undefined);
      await one.database.db('api_keys').where({ id }).update({ revoked_at: new Date() });
      nowMs += stillMs;
      expect(await reader.callerOf(secret), 'it is known').not.to.equal(undefined);
      nowMs += endMs - stillMs;
      expect(await reader.callerOf(secret)).to.equal(undefined);
    });
  }

  /**
   * Compares how long it takes to refuse wrong keys that begin like the right one, and wrong keys that do not. The right key is
   * read before each of them.
   *
   * @returns the probability that chance alone explains the difference
   */
  async function compare(reader: ApiKeyReader, secret: string): Promise<number> {
    const random = new SeededRandom(SAMPLES);
    const near: number[] = [];
    const far: number[] = [];
    while (near.length < SAMPLES || far.length < SAMPLES) {
      const isNear = random.below(2) === 0;
      const tail = newApiKey();
      const guess = isNear ? `${secret.slice(0, 40)}${tail.slice(40)}` : tail;
      await reader.callerOf(secret);
      const begun = performance.now();
      const caller = await reader.callerOf(guess);
      (isNear ? near : far).push(performance.now() - begun);
      expect(caller).to.equal(undefined);
    }
    return mannWhitneyP(near, far);
  }
});
