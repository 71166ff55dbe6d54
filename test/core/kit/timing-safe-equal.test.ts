import { expect } from 'chai';
import { timingSafeEqualBytes, timingSafeEqualText } from '../../../core/kit/timing-safe-equal.ts';

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
      expect(timingSafeEqualText(a, b)).to.equal(same);
      expect(timingSafeEqualBytes(Buffer.from(a), new TextEncoder().encode(b))).to.equal(same);
    });
  }
});
