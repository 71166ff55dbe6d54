import { expect } from 'chai';
import { valueAt } from '../../../core/contract/value-at.ts';

const RESPONSE = { access_token: 'a', authed_user: { access_token: 'b', none: null }, sites: [{ url: 'c' }] };

const PATHS: Readonly<Record<string, unknown>> = {
  access_token: 'a',
  'authed_user.access_token': 'b',
  'authed_user.none': null,
  'sites.0.url': 'c',
  'sites.1.url': undefined,
  'authed_user.none.deeper': undefined,
  'access_token.length': undefined,
  'constructor.name': undefined,
  '__proto__.toString': undefined,
  '': undefined,
};

describe('valueAt', () => {
  for (const [path, found] of Object.entries(PATHS)) {
    it(`finds ${JSON.stringify(found) ?? 'nothing'} at "${path}"`, () => {
      expect(valueAt(RESPONSE, path)).to.equal(found);
    });
  }

  it('finds nothing in a value that is not an object', () => {
    expect([undefined, null, 'text', 7].map((value) => valueAt(value, 'length'))).to.deep.equal([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
