import { expect } from 'chai';
import { backoffMs } from '../../../core/kit/backoff.ts';

const LIMITS = { firstMs: 1_000, maxMs: 600_000 };
const LARGEST_RANDOM = 1 - 2 ** -53;

describe('back-off', () => {
  it('doubles with each failure up to its limit', () => {
    const waits = [1, 2, 3, 10, 11, 50].map((failures) => backoffMs(failures, () => LARGEST_RANDOM, LIMITS));
    expect(waits).to.deep.equal([1_000, 2_000, 4_000, 512_000, 600_000, 600_000]);
  });

  it('spreads waiters over the upper half of the time', () => {
    expect(backoffMs(3, () => 0, LIMITS)).to.equal(2_000);
    expect(backoffMs(3, () => 0.5, LIMITS)).to.equal(3_000);
  });

  it('stays within its limits for extreme counts', () => {
    expect(backoffMs(0, () => 0, LIMITS)).to.equal(500);
    expect(backoffMs(1_000_000, () => LARGEST_RANDOM, LIMITS)).to.equal(LIMITS.maxMs);
  });
});
