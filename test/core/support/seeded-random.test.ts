import { expect } from 'chai';
import { SeededRandom } from '../../support/seeded-random.ts';

describe('SeededRandom', () => {
  it('repeats itself for one seed and differs for another', () => {
    const draw = (seed: number) => new SeededRandom(seed).bytes(16).toString('hex');
    expect(draw(7)).to.equal(draw(7));
    expect(draw(7)).not.to.equal(draw(8));
  });

  it('spreads evenly enough to be useful', () => {
    const random = new SeededRandom(1);
    const draws = Map.groupBy(
      Array.from({ length: 4000 }, () => random.below(4)),
      (value) => value,
    );
    for (const value of [0, 1, 2, 3]) expect(draws.get(value)).to.have.length.within(900, 1100);
  });
});
