import { expect } from 'chai';
import { FixedWindow } from '../../../core/kit/fixed-window.ts';

describe('FixedWindow', () => {
  const retryAfter = (window: FixedWindow, key: string) => window.consume(key).retryAfterSeconds;

  it('says when to retry once the limit is exceeded, and starts again with the next minute', () => {
    let now = Date.UTC(2030, 0, 1, 0, 0, 20);
    const window = new FixedWindow(2, () => now);
    const resetsAt = new Date(Date.UTC(2030, 0, 1, 0, 1, 0));
    expect(window.consume('a')).to.deep.equal({ limit: 2, remaining: 1, resetsAt });
    expect(window.consume('a')).to.deep.equal({ limit: 2, remaining: 0, resetsAt });
    expect(window.consume('a')).to.deep.equal({ limit: 2, remaining: 0, resetsAt, retryAfterSeconds: 40 });
    expect(retryAfter(window, 'b')).to.equal(undefined);
    now += 40_000;
    expect(retryAfter(window, 'a')).to.equal(undefined);
  });

  it('has no limit when it is 0', () => {
    const window = new FixedWindow(0, () => 0);
    expect([retryAfter(window, 'a'), retryAfter(window, 'a')]).to.deep.equal([undefined, undefined]);
  });

  it('lets the keys above its capacity share one count', () => {
    const window = new FixedWindow(1, () => 60_000);
    for (let key = 0; key < 10_000; key += 1) window.consume(`key ${key}`);
    expect(retryAfter(window, 'one more')).to.equal(undefined);
    expect(retryAfter(window, 'another')).to.equal(60);
  });
});
