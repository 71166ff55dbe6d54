import { expect } from 'chai';
import { en } from '../../../../core/api/connect/page-texts/en.ts';
import { PAGE_LANGUAGES, pageLanguage } from '../../../../core/api/connect/page-texts/page-language.ts';
import { words } from '../../../support/words.ts';

const KEYS = Object.keys(en);
const ENGLISH: Readonly<Record<string, string>> = en;
const placeholders = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(([found]) => found).sort();

describe('the texts of the pages outside the connect window', () => {
  it('are in eight languages', () => {
    expect(Object.keys(PAGE_LANGUAGES).sort()).to.deep.equal(words`de en es fr it ja nl pt-br`);
  });

  for (const [tag, texts] of Object.entries<Readonly<Record<string, string>>>(PAGE_LANGUAGES))
    it(`are complete, with the placeholders of English, and plain: ${tag}`, () => {
      expect(Object.keys(texts).sort()).to.deep.equal(KEYS.toSorted());
      for (const [key, text] of Object.entries(texts)) {
        expect(placeholders(text), key).to.deep.equal(placeholders(ENGLISH[key]));
        expect(text, key)
          .to.match(/^\S(?:.*\S)?$/)
          .and.not.match(/[!！¡<>'"`]| {2}/);
      }
      if (tag !== 'en') expect(KEYS.filter((key) => texts[key] === ENGLISH[key])).to.deep.equal([]);
    });

  const CHOICES: Readonly<Record<string, string>> = {
    '': 'en',
    '*': 'en',
    'xx, ;q=, de;q=x': 'de',
    'de-AT,en;q=0.8': 'de',
    'en;q=0.4, fr;q=0.9': 'fr',
    'pt-PT': 'pt-br',
    'ja;q=0, nl;q=0.001': 'nl',
    'xx-YY;q=1, it;q=0.5': 'it',
  };
  for (const [accepted, tag] of Object.entries(CHOICES))
    it(`are chosen by the weights of the Accept-Language “${accepted}”`, () => {
      expect(pageLanguage(accepted).tag).to.equal(tag);
    });
});
