import { expect } from 'chai';
import { readWords, tagOf } from '../../../ui/dashboard/pages/connections/search-words.ts';

describe('what is typed into the search for connections', () => {
  const cases: readonly [string, string, ReturnType<typeof readWords>][] = [
    ['is looked for as it is', ' kelvin  acme ', { tags: [], rest: 'kelvin acme' }],
    ['may name a tag, whatever the case', 'tag:Organization_ID=Acme', { tags: [['tags[organization_id]', 'Acme']], rest: '' }],
    [
      'may name several tags among other words',
      'tag:plan="a b" kelvin tag:x=y=z',
      {
        tags: [
          ['tags[plan]', 'a b'],
          ['tags[x]', 'y=z'],
        ],
        rest: 'kelvin',
      },
    ],
    [
      'names no tag before its value is there, nor by a name that none has',
      'tag:plan= tag: hashtag:a=b tag:1=x',
      { tags: [], rest: 'tag:plan= tag: hashtag:a=b tag:1=x' },
    ],
    ['may be nothing', ' ', { tags: [], rest: '' }],
  ];
  for (const [title, text, words] of cases)
    it(title, () => {
      expect(readWords(text)).to.deep.equal(words);
    });

  it('is restored from the address', () => {
    expect(['tags[plan]', 'tags', 'tags[]', 'search'].map(tagOf)).to.deep.equal(['plan', undefined, undefined, undefined]);
  });
});
