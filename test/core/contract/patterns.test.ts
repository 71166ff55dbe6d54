import { expect } from 'chai';
import { compilePattern, findRunawayPattern } from '#contract';
import { MAX_PATTERN_CHARACTERS } from '../../../core/contract/compile-pattern.ts';
import { words } from '../../support/words.ts';

/** The time limit for matching a pattern against eight long values on a busy machine, in milliseconds. */
const MAX_MS = 250;

const FIT = words`
  [a-z0-9-]+ [A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])? na[0-9]+|eu[0-9]+ (ab){2} \d{4}-\d{2} [(*+]+ \(a+\)
  [a-z0-9]+(?:-[a-z0-9]+)? [a-z]+[0-9]+[a-z]+ [a-z-]+-[a-z]+\.example\.com https?://[a-z.]+/? (?:ab)+c(?:ab)+
  (?:[a-z]+|[a-z0-9]+) \p{L}+[0-9]+ a{3}a+
`;

const UNFIT: readonly [string, RegExp][] = [
  ['(a+)+', /repeat/],
  ['(a*)*b', /repeat/],
  ['([a-z]+\\.)+com', /repeat/],
  ['(a|a)*', /repeat/],
  ['(?:(?:a+))+', /repeat/],
  ['(a{1,9}){2,}', /repeat/],
  ['((a)+)+', /repeat/],
  ['(?:(?:ab)?c)+', /repeat/],
  ['(a?){30}', /repeat/],
  ['a+a+', /the same characters twice/],
  ['\\w+\\d*x', /the same characters twice/],
  ['[a-z]*-?[a-z]*', /the same characters twice/],
  ['[a-z]+a[a-z]+', /the same characters twice/],
  ['([a-z]+)([a-z0-9]{1,9})', /the same characters twice/],
  ['[a-z]+(?:-[a-z]+)?[a-z]+', /the same characters twice/],
  ['.*[^x]*x', /the same characters twice/],
  ['\\p{Ll}+[\u03b1-\u03c9]+', /the same characters twice/],
  ['(?:ab)+(?:ab)+', /the same characters twice/],
  ['x[a-z]+[0-9]*[a-z]+', /the same characters twice/],
  ['a?'.repeat(30), /so many alternatives/],
  ['(?:a|b)'.repeat(30), /so many alternatives/],
  ['(a)\\1', /back-reference/],
  ['(?<n>a)\\k<n>', /back-reference/],
  ['[a-z', /not a regular expression/],
  ['a**', /not a regular expression/],
];

describe('patterns of form fields', () => {
  for (const source of FIT) {
    it(`accepts ${source}`, () => expect(findRunawayPattern(source)).to.equal(undefined));
  }

  for (const [source, reason] of UNFIT) {
    it(`refuses ${source}`, () => expect(findRunawayPattern(source)).to.match(reason));
  }

  it('take little time for any value of the allowed length once they are accepted', () => {
    for (const source of FIT) {
      const pattern = compilePattern(source);
      const began = performance.now();
      for (const pump of ['a', 'ab', 'a-', 'z9', '-', '.', '0', 'é']) pattern.test(`${pump.repeat(MAX_PATTERN_CHARACTERS)}!`);
      expect(performance.now() - began).to.be.below(MAX_MS);
    }
  });

  it('match whole values only, with or without anchors', () => {
    expect(compilePattern('a|b').test('ab')).to.equal(false);
    expect(compilePattern('^a$').test('a')).to.equal(true);
    expect(compilePattern('a').test('a\n')).to.equal(false);
  });
});
