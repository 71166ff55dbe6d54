import { expect } from 'chai';
import { readQuery } from '../../../core/server/query.ts';

const READ: readonly (readonly [string, object])[] = [
  ['/x', {}],
  ['/x?', {}],
  ['/x?a=1&b=%C3%A9+c', { a: '1', b: 'é c' }],
  ['/x?tags[k]=v&tags[toString]=w', { tags: { k: 'v', toString: 'w' } }],
  ['/x?a=1&a=2', { a: ['1', '2'] }],
  ['/x?a[b][c]=1', { a: { b: { c: '1' } } }],
  ['/x?toString=1', { toString: '1' }],
];

const REFUSED: Readonly<Record<string, string>> = {
  'a percent sign alone': '/x?a=%',
  'bytes that are no UTF-8': '/x?a=%ff',
  'U+0000': '/x?a=%00',
  '__proto__ as a name': '/x?__proto__=1',
  '__proto__ as a name in brackets': '/x?a[__proto__]=1',
  '__proto__ encoded': '/x?a%5B%5F_proto__%5D=1',
  'constructor in brackets': '/x?a[constructor][prototype]=1',
  'a parameter without a name': '/x?a=1&=2',
  'three levels': '/x?a[b][c][d]=1',
  '201 parameters': `/x?${Array.from({ length: 201 }, (_, at) => `p${at}=1`).join('&')}`,
  '101 items': `/x?${'a[]=1&'.repeat(101)}`,
};

describe('readQuery', () => {
  for (const [url, members] of READ) {
    it(`reads ${url}`, () => {
      expect(JSON.parse(JSON.stringify(readQuery(url)))).to.deep.equal(members);
    });
  }

  for (const [what, url] of Object.entries(REFUSED)) {
    it(`refuses ${what}`, () => {
      expect(() => readQuery(url))
        .to.throw()
        .with.property('code', 'invalid_query_params');
    });
  }

  it('accepts the names of prototype members as values', () => {
    expect(readQuery('/x?search=constructor')).to.have.property('search', 'constructor');
  });
});
