import { expect } from 'chai';
import { compilePattern, findRunawayPattern } from '#contract';

const FIT = [
  '[a-z0-9-]+',
  '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?',
  'na[0-9]+|eu[0-9]+',
  '(ab){2}',
  '\\d{4}-\\d{2}',
  '[(*+]+',
  '\\(a+\\)',
];

const UNFIT: readonly [string, RegExp][] = [
  ['(a+)+', /repeat/],
  ['(a*)*b', /repeat/],
  ['([a-z]+\\.)+com', /repeat/],
  ['(a|a)*', /repeat/],
  ['(?:(?:a+))+', /repeat/],
  ['(a{1,9}){2,}', /repeat/],
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

  it('match whole values only, with or without anchors', () => {
    expect(compilePattern('a|b').test('ab')).to.equal(false);
    expect(compilePattern('^a$').test('a')).to.equal(true);
    expect(compilePattern('a').test('a\n')).to.equal(false);
  });
});
