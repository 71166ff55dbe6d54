import { expect } from 'chai';
import { FixedWindow } from '../../../core/http/rate-limit.ts';

describe('FixedWindow', () => {
  it('says when to come back once the limit is passed, and starts anew with the next minute', () => {
    let now = Date.UTC(2030, 0, 1, 0, 0, 20);
    const window = new FixedWindow(2, { now: () => new Date(now) });
    expect([window.hit('a'), window.hit('a'), window.hit('a')]).to.deep.equal([undefined, undefined, 40]);
    expect(window.hit('b')).to.equal(undefined);
    now += 40_000;
    expect(window.hit('a')).to.equal(undefined);
  });

  it('counts nothing with the limit 0', () => {
    const window = new FixedWindow(0, { now: () => new Date(0) });
    expect([window.hit('a'), window.hit('a')]).to.deep.equal([undefined, undefined]);
  });

  it('lets the keys above its capacity share one count', () => {
    const window = new FixedWindow(1, { now: () => new Date(60_000) });
    for (let key = 0; key < 10_000; key += 1) window.hit(`key ${key}`);
    expect(window.hit('one more')).to.equal(undefined);
    expect(window.hit('another')).to.equal(60);
  });
});
