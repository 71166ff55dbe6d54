import { expect } from 'chai';
import { inBulk } from '../../../ui/dashboard/pages/connections/in-bulk.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';

const ITEMS = Array.from({ length: 10 }, (_, index) => index);
const REFUSED = new ApiError('unknown_connection', { status: 404 });
const TOO_MANY = new ApiError('too_many_request', { status: 429, retryAfter: 3 });

/** Options that record what they are told, and pauses that end at once. */
function recorded() {
  const progress: number[] = [];
  const waits: number[] = [];
  const pauses: number[] = [];
  const leaving = new AbortController();
  const options = {
    signal: leaving.signal,
    pause: async (ms: number) => void pauses.push(ms),
    onProgress: (count: number) => void progress.push(count),
    onWait: (seconds: number) => void waits.push(seconds),
  };
  return { options, progress, waits, pauses, leaving };
}

describe('work in bulk', () => {
  it('is done for each item, four at a time, and says how far it is', async () => {
    const { options, progress } = recorded();
    let running = 0;
    let most = 0;
    const act = async (item: number) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn <= item % 3; turn += 1) await Promise.resolve();
      running -= 1;
      return item * 2;
    };
    const { done, failed } = await inBulk(ITEMS, act, options);
    expect(most).to.equal(4);
    expect(done).to.deep.equal(ITEMS.map((item) => ({ item, result: item * 2 })));
    expect(failed).to.deep.equal([]);
    expect(progress).to.deep.equal(ITEMS.map((item) => item + 1));
  });

  it('collects what the service refused, and goes on', async () => {
    const { options, progress } = recorded();
    const act = async (item: number) => {
      if (item % 4 === 0) throw REFUSED;
    };
    const { done, failed } = await inBulk(ITEMS, act, options);
    expect(failed).to.deep.equal([0, 4, 8].map((item) => ({ item, error: REFUSED })));
    expect(done.map(({ item }) => item)).to.deep.equal([1, 2, 3, 5, 6, 7, 9]);
    expect(progress.at(-1)).to.equal(10);
  });

  it('waits as long as the service asks, and tries the item again', async () => {
    const { options, waits, pauses } = recorded();
    const refused = new Set<number>();
    const act = async (item: number) => {
      if (item !== 5 || refused.has(item)) return item;
      refused.add(item);
      throw TOO_MANY;
    };
    const { done, failed } = await inBulk(ITEMS, act, options);
    expect([done.length, failed.length]).to.deep.equal([10, 0]);
    expect([waits, pauses]).to.deep.equal([[3], [3_000]]);
  });

  it('begins nothing while it waits', async () => {
    const { options } = recorded();
    const asked = Promise.withResolvers<void>();
    const resumed = Promise.withResolvers<void>();
    const pause = () => {
      asked.resolve();
      return resumed.promise;
    };
    const begun: number[] = [];
    const act = async (item: number) => {
      begun.push(item);
      if (begun.length === 4) throw TOO_MANY;
    };
    const ended = inBulk(ITEMS, act, { ...options, pause });
    await asked.promise;
    await new Promise(setImmediate);
    const meanwhile = begun.length;
    await new Promise(setImmediate);
    expect(begun).to.have.length(meanwhile);
    expect(meanwhile).to.be.below(ITEMS.length);
    resumed.resolve();
    expect((await ended).done).to.have.length(ITEMS.length);
  });

  it('gives an item up after five tries', async () => {
    const { options, pauses } = recorded();
    const act = async () => {
      throw TOO_MANY;
    };
    const { failed } = await inBulk([1], act, options);
    expect([failed, pauses.length]).to.deep.equal([[{ item: 1, error: TOO_MANY }], 4]);
  });

  it('begins nothing more once the user has left', async () => {
    const { options, leaving } = recorded();
    const begun: number[] = [];
    const act = async (item: number) => {
      begun.push(item);
      if (item === 3) leaving.abort();
    };
    const { done } = await inBulk(ITEMS, act, options);
    expect(begun).to.deep.equal([0, 1, 2, 3]);
    expect(done).to.have.length(4);
  });

  it('ends with a fault of the dashboard itself', async () => {
    const fault = new TypeError('a bug');
    const act = async () => {
      throw fault;
    };
    expect(await inBulk(ITEMS, act, recorded().options).catch((error: unknown) => error)).to.equal(fault);
  });
});
