import { expect } from 'chai';
import { escapeUnsafe, isUnsafe } from '../../../core/kit/unsafe-characters.ts';

describe('characters that change how a text is shown', () => {
  for (const found of ['\u0000', '\n', '\u001b', '\u007f', '\u009b', '\u061c', '\u200e', '\u202e', '\u2069', '\ud83e'])
    it(`are found and escaped: ${JSON.stringify(found)}`, () => {
      expect(isUnsafe(`a${found}b`)).to.equal(true);
      expect(escapeUnsafe(`${found}a${found}`)).to.match(/^\\u[0-9a-f]{4}a\\u[0-9a-f]{4}$/);
    });

  it('do not include letters, emojis and joiners', () => {
    const text = 'Zoë 👩‍🚀 שלום İ';
    expect([isUnsafe(text), escapeUnsafe(text)]).to.deep.equal([false, text]);
  });

  it('are escaped in JSON without a change of its value', () => {
    const value = { name: 'a\u202e\u009b"\\' };
    expect(JSON.parse(escapeUnsafe(JSON.stringify(value)))).to.deep.equal(value);
  });
});
