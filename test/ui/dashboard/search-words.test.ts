import { expect } from 'chai';
import { searchParams } from '../../../ui/dashboard/pages/connections/search-words.ts';

describe('what is typed into the search for connections', () => {
  const cases: readonly [string, string, readonly (readonly [string, string])[]][] = [
    ['is looked for as it is', ' kelvin  acme ', [['search', 'kelvin acme']]],
    ['may name a tag', 'tag:organization_id=acme', [['tags[organization_id]', 'acme']]],
    [
      'may name several tags among other words',
      'tag:plan="a b" kelvin tag:x=y=z',
      [
        ['search', 'kelvin'],
        ['tags[plan]', 'a b'],
        ['tags[x]', 'y=z'],
      ],
    ],
    ['names no tag before its value is there', 'tag:plan= tag: hashtag:a=b', [['search', 'tag:plan= tag: hashtag:a=b']]],
    ['may be nothing', ' ', []],
  ];
  for (const [title, text, params] of cases)
    it(title, () => {
      expect(searchParams(text)).to.deep.equal(params);
    });
});
