import { expect } from 'chai';
import { Sampled } from '../../../../core/operate/metrics/sampled.ts';

describe('a sampled value', () => {
  let nowMs = 0;
  let reads = 0;
  const failures: unknown[] = [];

  function sampled(read: () => Promise<number>): Sampled<number> {
    [nowMs, reads] = [0, 0];
    failures.length = 0;
    return new Sampled({ read, onFailure: (error) => failures.push(error), now: () => nowMs });
  }

  /** A read that takes this long. */
  const reading = (ms: number) => async () => {
    nowMs += ms;
    reads += 1;
    return reads;
  };

  it('is read again only when sixty times the duration of the last read have passed', async () => {
    const value = sampled(reading(100));
    expect(await value.get()).to.equal(1);
    nowMs = 100 + 5_999;
    expect(await value.get()).to.equal(1);
    nowMs = 100 + 6_000;
    expect(await value.get()).to.equal(2);
  });

  it('is read once for all who ask meanwhile', async () => {
    const gate = Promise.withResolvers<void>();
    const value = sampled(async () => {
      reads += 1;
      await gate.promise;
      return reads;
    });
    const asked = [value.get(), value.get()];
    gate.resolve();
    expect([await Promise.all(asked), reads]).to.deep.equal([[1, 1], 1]);
  });

  it('is undefined after a failed read, which is told, and is then read again', async () => {
    const fault = new Error('away');
    let isAway = true;
    const value = sampled(async () => {
      if (isAway) throw fault;
      return 7;
    });
    expect(await value.get()).to.equal(undefined);
    expect(failures).to.deep.equal([fault]);
    isAway = false;
    expect(await value.get()).to.equal(7);
  });
});
