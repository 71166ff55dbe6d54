import { expect } from 'chai';
import { textAt } from '#contract';

const PAYLOAD = {
  id: 7,
  name: 'Ada',
  blank: '',
  half: 0.5,
  huge: 2 ** 60,
  yes: true,
  none: null,
  list: [{ id: 'first' }],
  in: { a: { b: 'deep' } },
};

const FOUND: Readonly<Record<string, string | undefined>> = {
  name: 'Ada',
  id: '7',
  'in.a.b': 'deep',
  'list.0.id': 'first',
  blank: undefined,
  half: undefined,
  huge: undefined,
  yes: undefined,
  none: undefined,
  'none.id': undefined,
  in: undefined,
  'in.a': undefined,
  'in.x.b': undefined,
  list: undefined,
  'list.1.id': undefined,
  'list.length': undefined,
  'name.length': undefined,
  'name.0': undefined,
  'constructor.name': undefined,
  ['__proto__']: undefined,
  '': undefined,
  '.': undefined,
};

describe('textAt', () => {
  for (const [path, found] of Object.entries(FOUND)) {
    it(`finds ${found === undefined ? 'nothing' : `"${found}"`} at "${path}"`, () =>
      expect(textAt(PAYLOAD, path)).to.equal(found));
  }

  it('finds nothing in a value that is not an object', () => {
    for (const payload of [undefined, null, 'text', 7, true, []])
      expect(textAt(payload, 'id'), String(payload)).to.equal(undefined);
  });
});
