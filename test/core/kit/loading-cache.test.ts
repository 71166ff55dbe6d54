import { mock } from 'node:test';
import { expect } from 'chai';
import { LoadingCache, type SourceAvailability } from '../../../core/kit/loading-cache.ts';

class TestAvailability implements SourceAvailability {
  isDown = false;
  readonly #listeners = new Set<() => void>();

  reportFailure(error: unknown): boolean {
    return error === OUTAGE;
  }

  onRecovery(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  recover(): void {
    this.isDown = false;
    for (const listener of this.#listeners) listener();
  }
}

const OUTAGE = new Error('the source is down');

describe('LoadingCache during an outage of its source', () => {
  let time: number;
  let availability: TestAvailability;
  let cache: LoadingCache<string, string>;
  const fails = () => Promise.reject(OUTAGE);

  beforeEach(async () => {
    time = 0;
    availability = new TestAvailability();
    cache = new LoadingCache({ ttlMs: 10_000, maxEntries: 2, now: () => time, availability });
    await cache.get('a', async () => 'old');
    time = 20_000;
  });

  afterEach(() => cache[Symbol.dispose]());

  it('serves the entry after a load fails, and then without a load', async () => {
    expect(await cache.get('a', fails)).to.equal('old');
    availability.isDown = true;
    expect(await cache.get('a', () => Promise.reject(new Error('must not load')))).to.equal('old');
    expect(cache.isServing).to.equal(true);
  });

  it('serves nothing older than five minutes, and nothing that was not loaded', async () => {
    availability.isDown = true;
    time = 300_000;
    expect(await cache.get('a', fails).catch((error: unknown) => error)).to.equal(OUTAGE);
    expect(await cache.get('b', fails).catch((error: unknown) => error)).to.equal(OUTAGE);
    expect(cache.isServing).to.equal(false);
  });

  it('drops an entry that the source no longer has', async () => {
    await cache.get('a', async () => undefined);
    availability.isDown = true;
    expect(await cache.get('a', fails).catch((error: unknown) => error)).to.equal(OUTAGE);
  });

  it('drops a deleted entry', async () => {
    availability.isDown = true;
    cache.delete('a');
    expect(await cache.get('a', fails).catch((error: unknown) => error)).to.equal(OUTAGE);
  });

  it('loads everything again afterwards', async () => {
    availability.isDown = true;
    expect(await cache.get('a', fails)).to.equal('old');
    availability.recover();
    expect(await cache.get('a', async () => 'new')).to.equal('new');
  });
});

describe('LoadingCache', () => {
  let time = 0;
  let loads = 0;
  let cache: LoadingCache<string, number>;
  const load = async () => ++loads;

  afterEach(() => cache[Symbol.dispose]());

  beforeEach(() => {
    time = 0;
    loads = 0;
    cache = new LoadingCache({ ttlMs: 100, maxEntries: 2, now: () => time });
  });

  it('loads once and serves from memory until the entry expires', async () => {
    const seen = [await cache.get('a', load)];
    time = 99;
    seen.push(await cache.get('a', load));
    time = 100;
    seen.push(await cache.get('a', load));
    expect(seen).to.deep.equal([1, 1, 2]);
  });

  it('counts the age from the beginning of the load', async () => {
    const slow = Promise.withResolvers<number>();
    const first = cache.get('a', () => slow.promise);
    time = 60;
    slow.resolve(7);
    expect(await first).to.equal(7);
    time = 100;
    expect(await cache.get('a', load)).to.equal(1);
  });

  it('shares one load among callers who miss at the same time', async () => {
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
    it(`drops entries on ${name}`, async () => {
      await cache.get('a', load);
      invalidate();
      expect(await cache.get('a', load)).to.equal(2);
    });

    it(`loads again for callers who wait for a load at a ${name}`, async () => {
      const old = Promise.withResolvers<number>();
      const results = [old.promise];
      const loadNext = async () => results.shift() ?? 1;
      const early = cache.get('a', loadNext);
      invalidate();
      const late = cache.get('a', loadNext);
      old.resolve(-1);
      expect([await early, await late, await cache.get('a', load)]).to.deep.equal([1, 1, 1]);
      expect(loads).to.equal(0);
    });
  }

  it('loads again for callers who wait for a load that fails after a delete', async () => {
    const old = Promise.withResolvers<number>();
    const found = [old.promise, Promise.resolve(1)];
    const early = [cache.get('a', async () => found.shift()), cache.get('a', load)];
    cache.delete('a');
    old.reject(new Error('broken'));
    expect(await Promise.all(early)).to.deep.equal([1, 1]);
    expect(loads).to.equal(0);
  });

  it('finds nothing when the entry is deleted during the load and is gone', async () => {
    const old = Promise.withResolvers<number>();
    const found = [old.promise];
    const early = cache.get('a', async () => found.shift());
    cache.delete('a');
    old.resolve(-1);
    expect([await early, cache.size]).to.deep.equal([undefined, 0]);
  });

  it('evicts expired entries without a read, and all when it is disposed', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const swept = new LoadingCache<string, number>({ ttlMs: 100, maxEntries: 2, now: () => time });
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

  it('evicts the least recently used entry', async () => {
    await cache.get('a', load);
    await cache.get('b', load);
    await cache.get('a', load);
    await cache.get('c', load);
    expect([await cache.get('a', load), await cache.get('b', load)]).to.deep.equal([1, 4]);
  });
});
