import { expect } from 'chai';
import { type Searchable, searchTerms, searchWords } from '../../../core/connections/search-words.ts';

const NOBODY: Searchable = { connectionId: 'c', tags: {}, endUser: null, providerAccount: null };
const UUID = '0b9e5c1a-7d3f-4c55-9a63-2f1d8e7c4b10';

describe('the words of a connection', () => {
  const wordsOf = (text: string) => searchWords({ ...NOBODY, tags: { text } }).filter((word) => word !== 'c');

  const CASES: Readonly<Record<string, readonly string[]>> = {
    'Jane Doe': ['jane', 'doe'],
    'jane.doe@acme.example': ['jane.doe@acme.example', 'doe@acme.example', 'acme.example', 'example'],
    user_42: ['user_42', '42'],
    [UUID]: [UUID],
    'Müller-Lüdenscheidt': ['muller-ludenscheidt', 'ludenscheidt'],
    'שרה כהן': ['שרה', 'כהן'],
    株式会社: ['株式会社'],
    '(acme)': ['acme)'],
    'Jane – 💥 --': ['jane'],
    'a\u0000b\tc\u200dd': ['a', 'b', 'd'],
    'same SAME Same': ['same'],
  };
  for (const [text, words] of Object.entries(CASES))
    it(`are, of ${JSON.stringify(text)}, ${words.join(' | ')}`, () => {
      expect(wordsOf(text)).to.deep.equal(words);
    });

  it('come from the ID, the tags, the end user, and the name and e-mail address of the account', () => {
    const words = searchWords({
      connectionId: 'Conn-1',
      tags: { plan: 'Team' },
      endUser: { id: 'u1', email: 'ada@one.example', display_name: 'Ada', tags: { no: 'hidden' }, organization: null },
      providerAccount: { id: '1042', name: 'Countess', email: 'king@two.example', picture: 'https://pictures.example/1' },
    });
    expect(words).to.include.members(['conn-1', '1', 'team', 'u1', 'ada', 'ada@one.example', 'countess', 'king@two.example']);
    expect(words).to.not.include.members(['hidden', '1042', 'pictures.example/1']);
  });

  it('are at most 100, each short enough for an index, whatever the tags', () => {
    const tags = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`t${n}`, `${n}.`.repeat(127)]));
    expect(searchWords({ ...NOBODY, tags })).to.have.length(100);
    // U+FDFA is one character that decomposes into eighteen.
    for (const word of wordsOf('\ufdfa'.repeat(255))) expect(Buffer.byteLength(word)).to.be.at.most(800);
  });
});

describe('the terms of a search', () => {
  const CASES: Readonly<Record<string, readonly string[]>> = {
    ' Jane  DOE ': ['jane', 'doe'],
    '@acme.example': ['acme.example'],
    user_42: ['user_42'],
    [UUID.toUpperCase()]: [UUID],
    'jane jane': ['jane'],
    'jane - doe': ['jane', 'doe'],
    '-': [],
    ' \t': [],
  };
  for (const [text, terms] of Object.entries(CASES))
    it(`are, of ${JSON.stringify(text)}, ${terms.join(' | ') || 'none'}`, () => {
      expect(searchTerms(text)).to.deep.equal(terms);
    });

  it('are prefixes of the words of the text that is searched for', () => {
    for (const text of ['Jane Doe', 'jane.doe@acme.example', UUID, '(acme)', 'x'.repeat(300)]) {
      const words = searchWords({ ...NOBODY, tags: { text } });
      for (const term of searchTerms(text))
        expect(
          words.some((word) => word.startsWith(term)),
          text,
        ).to.equal(true);
    }
  });
});
