import { mock } from 'node:test';
import { expect } from 'chai';
import { ExpiringCache, type Outage } from '../../../core/kit/expiring-cache.ts';

class TestOutage implements Outage {
  isAway = false;
  readonly #listeners = new Set<() => void>();

  report(error: unknown): boolean {
    return error === OUTAGE;
  }

  onBack(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  end(): void {
    this.isAway = false;
    for (const listener of this.#listeners) listener();
  }
}

const OUTAGE = new Error('the source is away');

describe('ExpiringCache during an outage of its source', () => {
  let time: number;
  let outage: TestOutage;
  let cache: ExpiringCache<string, string>;
  const fails = () => Promise.reject(OUTAGE);

  beforeEach(async () => {
    time = 0;
    outage = new TestOutage();
    cache = new ExpiringCache({ ttlMs: 10_000, maxEntries: 2, now: () => time, outage });
    await cache.get('a', async () => 'old');
    time = 20_000;
  });

  afterEach(() => cache[Symbol.dispose]());

  it('serves what is known to the load that finds it out, and then without a load', async () => {
    expect(await cache.get('a', fails)).to.equal('old');
    outage.isAway = true;
    expect(await cache.get('a', () => Promise.reject(new Error('must not load')))).to.equal('old');
    expect(cache.isServing).to.equal(true);
  });

  it('serves nothing older than five minutes, and nothing unknown', async () => {
    outage.isAway = true;
    time = 300_000;
    expect(await cache.get('a', fails).catch((error: unknown) => error)).to.equal(OUTAGE);
    expect(await cache.get('b', fails).catch((error: unknown) => error)).to.equal(OUTAGE);
    expect(cache.isServing).to.equal(false);
  });

  it('forgets what the source says is gone, before and after', async () => {
    await cache.get('a', async () => undefined);
    outage.isAway = true;
    expect(await cache.get('a', fails).catch((error: unknown) => error)).to.equal(OUTAGE);
  });

  it('forgets what is announced as changed', async () => {
    outage.isAway = true;
    cache.delete('a');
    expect(await cache.get('a', fails).catch((error: unknown) => error)).to.equal(OUTAGE);
  });

  it('loads everything anew when it is over', async () => {
    outage.isAway = true;
    expect(await cache.get('a', fails)).to.equal('old');
    outage.end();
    expect(await cache.get('a', async () => 'new')).to.equal('new');
  });
});

describe('ExpiringCache', () => {
  let time = 0;
  let loads = 0;
  let cache: ExpiringCache<string, number>;
  const load = async () => ++loads;

  afterEach(() => cache[Symbol.dispose]());

  beforeEach(() => {
    time = 0;
    loads = 0;
    cache = new ExpiringCache({ ttlMs: 100, maxEntries: 2, now: () => time });
  });

  it('loads once and serves from memory until the time is over', async () => {
    const seen = [await cache.get('a', load)];
    time = 99;
    seen.push(await cache.get('a', load));
    time = 100;
    seen.push(await cache.get('a', load));
    expect(seen).to.deep.equal([1, 1, 2]);
  });

  it('counts the time from the beginning of the load', async () => {
    const slow = Promise.withResolvers<number>();
    const first = cache.get('a', () => slow.promise);
    time = 60;
    slow.resolve(7);
    expect(await first).to.equal(7);
    time = 100;
    expect(await cache.get('a', load)).to.equal(1);
  });

  it('shares one load among those who ask at the same time', async () => {
    expect(await Promise.all([cache.get('a', load), cache.get('a', load), cache.get('b', load)])).to.deep.equal([1, 1, 2]);
  });

  it('keeps neither undefined nor a failure', async () => {
    const failure = await cache.get('a', () => Promise.reject(new Error('broken'))).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    expect(await cache.get('a', async () => undefined)).to.equal(undefined);
    expect(await cache.get('a', load)).to.equal(1);
  });

  for (const [name, invalidate] of [
    ['delete', () => cache.delete('a')],
    ['clear', () => cache.clear()],
  ] as const) {
    it(`forgets on ${name}`, async () => {
      await cache.get('a', load);
      invalidate();
      expect(await cache.get('a', load)).to.equal(2);
    });

    it(`loads again for those who wait for a load at a ${name}`, async () => {
      const old = Promise.withResolvers<number>();
      const found = [old.promise, Promise.resolve(1)];
      const early = cache.get('a', async () => found.shift());
      invalidate();
      const late = cache.get('a', async () => found.shift());
      old.resolve(-1);
      expect([await early, await late, await cache.get('a', load)]).to.deep.equal([1, 1, 1]);
    });
  }

  it('loads for the caller alone when what it waits for is deleted again and again', async () => {
    const endless = () => {
      loads += 1;
      return loads <= 3 ? new Promise<number>(() => {}) : Promise.resolve(loads);
    };
    const waiting = cache.get('a', endless);
    for (let at = 0; at < 3; at += 1) {
      cache.delete('a');
      await new Promise(setImmediate);
    }
    expect(await waiting).to.equal(4);
  });

  it('lets go of what has expired, though nobody asks, until it is disposed', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const swept = new ExpiringCache<string, number>({ ttlMs: 100, maxEntries: 2, now: () => time });
      time = 1_000;
      await swept.get('old', load);
      mock.timers.tick(60);
      time = 1_060;
      await swept.get('young', load);
      time = 1_102;
      mock.timers.tick(42);
      expect(swept.size).to.equal(1);
      expect(await swept.get('young', load)).to.equal(2);
      swept[Symbol.dispose]();
      expect(swept.size).to.equal(0);
    } finally {
      mock.timers.reset();
    }
  });

  it('lets go of the entry that was not read for the longest time', async () => {
    await cache.get('a', load);
    await cache.get('b', load);
    await cache.get('a', load);
    await cache.get('c', load);
    expect([await cache.get('a', load), await cache.get('b', load)]).to.deep.equal([1, 4]);
  });
});
