import { expect } from 'chai';
import { RateTally } from '../../../core/environments/rate-tally.ts';

const LIMIT = 100;
const NOTHING = { taken: 0, kept: 0, speakers: 0 };

function takeUntilRefused(tally: RateTally): number {
  let taken = 0;
  while (tally.take()) taken += 1;
  return taken;
}

/** One after the other says how things are with it and hears what the other has said last. */
class Pair {
  readonly one = new RateTally(LIMIT, 1);
  readonly two = new RateTally(LIMIT, 1);
  #said = { one: NOTHING, two: NOTHING };

  exchange(): void {
    this.#said = { ...this.#said, one: { taken: this.one.taken, kept: this.one.kept, speakers: 1 } };
    this.one.learn(this.#said.two, 1);
    this.#said = { ...this.#said, two: { taken: this.two.taken, kept: this.two.kept, speakers: 1 } };
    this.two.learn(this.#said.one, 1);
  }

  get taken(): number {
    return this.one.taken + this.two.taken;
  }
}

describe('RateTally', () => {
  it('takes as many as the limit says when it is alone', () => {
    const tally = new RateTally(LIMIT, 0);
    expect(takeUntilRefused(tally)).to.equal(LIMIT);
    expect(tally.left).to.equal(0);
  });

  it('shares what nobody has used with instances it cannot see', () => {
    expect(takeUntilRefused(new RateTally(LIMIT, 1))).to.equal(50);
    expect(takeUntilRefused(new RateTally(LIMIT, 3))).to.equal(25);
  });

  it('comes to the whole limit within a few exchanges when all requests arrive here', () => {
    const pair = new Pair();
    for (let second = 0; second < 5; second += 1) {
      takeUntilRefused(pair.one);
      pair.exchange();
    }
    expect(pair.one.taken).to.be.within(LIMIT * 0.9, LIMIT);
  });

  it('remembers in the next minute where the requests arrived', () => {
    const pair = new Pair();
    for (let second = 0; second < 10; second += 1) {
      takeUntilRefused(pair.one);
      pair.exchange();
    }
    pair.one.roll(1);
    expect(takeUntilRefused(pair.one)).to.be.within(LIMIT * 0.9, LIMIT);
  });

  for (const share of [0, 0.1, 0.3, 0.5, 0.7, 0.9, 1]) {
    for (const perSecond of [2, 5, 20, 60, 1000]) {
      it(`keeps the limit when ${share} of ${perSecond} requests a second arrive here`, () => {
        const pair = new Pair();
        for (let request = 0; request < perSecond * 60; request += 1) {
          (((request * 7) % 10) / 10 < share ? pair.one : pair.two).take();
          if (request % perSecond === perSecond - 1) pair.exchange();
        }
        expect(pair.taken).to.be.within(LIMIT * 0.9, LIMIT * 1.1);
      });
    }
  }

  it('keeps what it has until every other one has spoken', () => {
    const tally = new RateTally(LIMIT, 2);
    const kept = takeUntilRefused(tally);
    tally.learn({ taken: 0, kept: 0, speakers: 1 }, 2);
    expect(tally.take()).to.equal(false);
    tally.learn({ taken: 0, kept: 2, speakers: 2 }, 2);
    expect(takeUntilRefused(tally)).to.be.greaterThan(kept);
  });

  it('is news once there was a request here or elsewhere, until the others were told', () => {
    const tally = new RateTally(LIMIT, 1);
    expect(tally.isNews).to.equal(false);
    tally.take();
    expect(tally.isNews).to.equal(true);
    tally.tell({ taken: tally.taken, kept: tally.kept });
    expect(tally.isNews).to.equal(false);
    tally.roll(1);
    tally.learn({ taken: 1, kept: 10, speakers: 1 }, 1);
    expect(tally.isNews).to.equal(true);
  });

  it('forgets a minute without requests', () => {
    const tally = new RateTally(LIMIT, 0);
    tally.take();
    expect(tally.roll(0)).to.equal(true);
    expect(tally.left).to.equal(LIMIT);
    expect(tally.roll(0)).to.equal(false);
  });
});
