import { expect } from 'chai';
import { mannWhitneyP } from '../../support/mann-whitney.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

describe('mannWhitneyP', () => {
  const sample = (seed: number, shift: number, count = 500) => {
    const random = new SeededRandom(seed);
    return Array.from({ length: count }, () => random.next() + shift);
  };

  it('sees no difference where there is none', () => {
    expect(mannWhitneyP([1, 2, 3], [1, 2, 3])).to.be.closeTo(1, 1e-6);
    expect(mannWhitneyP(sample(1, 0), sample(2, 0))).to.be.above(0.01);
  });

  it('sees a small difference in many samples, in whichever direction', () => {
    for (const shift of [0.1, -0.1]) expect(mannWhitneyP(sample(1, shift), sample(2, 0))).to.be.below(1e-4);
  });

  it('agrees with a worked example with ties', () => {
    // U = 6.5 of 6 × 6, mean 18, deviation 6.146 with its ties: z = 1.871.
    expect(mannWhitneyP([1, 2, 2, 3, 4, 5], [2, 4, 5, 5, 6, 7])).to.be.closeTo(0.0613, 1e-4);
  });

  it('takes equal values for what they are', () => {
    expect(mannWhitneyP([1, 1, 1, 1], [1, 1, 1, 2])).to.be.above(0.1);
  });
});
