import { expect } from 'chai';
import { fromCursor, toCursor } from '../../../core/db/cursor.ts';

describe('a cursor', () => {
  for (const id of [1, 42, 999_999_999_999_999]) {
    it(`returns ${id} when decoded`, () => {
      expect(fromCursor(toCursor(id))).to.equal(id);
    });
  }

  it('is fit for a URL', () => {
    expect(toCursor(123_456)).to.match(/^[\w-]+$/);
  });

  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const wrong = [
    '',
    '12',
    'c12',
    encode('12'),
    encode('c'),
    encode('c-1'),
    encode('c1.5'),
    encode('c01'),
    encode('c1;'),
    `${toCursor(1)}!`,
  ];
  for (const cursor of [...wrong, encode(`c${'9'.repeat(16)}`)]) {
    it(`is not "${cursor}"`, () => {
      expect(() => fromCursor(cursor))
        .to.throw()
        .with.property('code', 'invalid_query_params');
    });
  }
});
