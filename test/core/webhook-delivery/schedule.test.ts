import { expect } from 'chai';
import { readRetryAfter, retryDelay } from '../../../core/webhook-delivery/schedule.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const HOUR_MS = 3_600_000;
const WAITS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const LOWEST = () => 0;
const HIGHEST = () => 1 - Number.EPSILON;
const NOW = new Date('2026-11-21T12:00:00Z');

/** Returns all waits between the attempts of one message. */
function waits(random: () => number): readonly number[] {
  return WAITS_SECONDS.map((_, index) => retryDelay(index + 1, random) ?? Number.NaN);
}

describe('the schedule of attempts', () => {
  for (const [index, seconds] of WAITS_SECONDS.entries()) {
    it(`waits about ${seconds} s after attempt ${index + 1}`, () => {
      const [least, most] = [retryDelay(index + 1, LOWEST), retryDelay(index + 1, HIGHEST)];
      expect(least).to.equal(seconds * 1_000);
      expect(most).to.be.closeTo(seconds * 1_200, 1);
    });
  }

  it('ends after the tenth attempt', () => {
    expect(retryDelay(10, LOWEST)).to.equal(undefined);
    expect(retryDelay(11, LOWEST)).to.equal(undefined);
  });

  it('lasts from Friday evening to Monday evening whatever chance says', () => {
    const sum = (random: () => number) => waits(random).reduce((total, wait) => total + wait, 0) / HOUR_MS;
    expect(sum(LOWEST)).to.be.above(75);
    expect(sum(HIGHEST)).to.be.below(91);
  });

  it('WHO-01: spreads a thousand messages that failed together over 10 to 30 % of their wait', () => {
    const random = new SeededRandom(1).next;
    for (const tries of WAITS_SECONDS.keys()) {
      const drawn = Array.from({ length: 1_000 }, () => retryDelay(tries + 1, random) ?? Number.NaN);
      const mean = drawn.reduce((total, wait) => total + wait, 0) / drawn.length;
      const furthest = Math.max(...drawn.map((wait) => Math.abs(wait - mean))) / mean;
      expect(furthest, `after attempt ${tries + 1}`).to.be.within(0.08, 0.3);
    }
  });
});

describe('Retry-After', () => {
  const CASES: readonly (readonly [string, string | undefined, number | undefined])[] = [
    ['seconds', '120', 120_000],
    ['a date', 'Sat, 21 Nov 2026 12:02:00 GMT', 120_000],
    ['a day at most', '999999999', 24 * HOUR_MS],
    ['a date far away as a day', 'Fri, 31 Dec 9999 23:59:59 GMT', 24 * HOUR_MS],
    ['nothing from its absence', undefined, undefined],
    ['nothing from 0', '0', undefined],
    ['nothing from a date that has passed', 'Sat, 21 Nov 2026 11:00:00 GMT', undefined],
    ['nothing from nonsense', 'soon', undefined],
    ['nothing from a negative number', '-5', undefined],
    ['a number without end as a day', '9'.repeat(400), 24 * HOUR_MS],
  ];
  for (const [what, header, expected] of CASES) {
    it(`is read: ${what}`, () => {
      expect(readRetryAfter(header, NOW)).to.equal(expected);
    });
  }
});
