import { expect } from 'chai';
import { sameBytes, sameText } from '../../../core/kit/same-bytes.ts';

describe('comparison in constant time', () => {
  const cases = [
    ['abc', 'abc', true],
    ['', '', true],
    ['abc', 'abd', false],
    ['abc', 'abcd', false],
    ['', 'a', false],
    ['ü', 'u', false],
  ] as const;

  for (const [a, b, same] of cases) {
    it(`says that "${a}" and "${b}" are ${same ? 'the same' : 'different'}`, () => {
      expect(sameText(a, b)).to.equal(same);
      expect(sameBytes(Buffer.from(a), new TextEncoder().encode(b))).to.equal(same);
    });
  }
});
