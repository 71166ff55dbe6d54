import { expect } from 'chai';
import { isFoundIn, partsOf, termsOf } from '../../../ui/dashboard/search/matches.ts';

describe('what a search marks', () => {
  const marked = (text: string, typed: string) =>
    partsOf(text, termsOf(typed))
      .map((part) => (part.isFound ? `[${part.text}]` : part.text))
      .join('');

  const CASES: readonly (readonly [text: string, typed: string, marked: string])[] = [
    ['Marie Hoffmann', 'mar', '[Mar]ie Hoffmann'],
    ['Marie Hoffmann', 'HOFF marie', '[Marie] [Hoff]mann'],
    ['marie@hellweg.example', 'hellweg.ex', 'marie@[hellweg.ex]ample'],
    ['Marie Hoffmann', 'arie', 'Marie Hoffmann'],
    ['ab ab', 'a ab', '[ab] [ab]'],
    ['organization = hellweg', '@hellweg', 'organization = [hellweg]'],
    ['Jonas', '', 'Jonas'],
    ['', 'x', ''],
    ['a+b', '.*', 'a+b'],
  ];
  for (const [text, typed, expected] of CASES)
    it(`is ${expected} for “${typed}”`, () => {
      expect(marked(text, typed)).to.equal(expected);
      expect(isFoundIn(text, termsOf(typed))).to.equal(expected.includes('['));
    });

  it('leaves every text as it is', () => {
    for (const [text, typed] of CASES)
      expect(
        partsOf(text, termsOf(typed))
          .map((part) => part.text)
          .join(''),
      ).to.equal(text);
  });
});
