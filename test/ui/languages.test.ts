import { expect } from 'chai';
import { en } from '../../ui/connect/texts/en.ts';
import { LANGUAGES, type LanguageTag } from '../../ui/connect/texts/languages.ts';
import { pickLanguage } from '../../ui/shared/language.ts';
import { sourceFiles } from '../support/source-files.ts';
import { words } from '../support/words.ts';

type TextsByKey = Readonly<Record<string, string>>;

const TAGS = Object.keys(LANGUAGES) as LanguageTag[];
const KEYS = Object.keys(en);
/** Words that are the same in both languages. */
const SAME: Readonly<Record<string, readonly string[]>> = { de: ['optional', 'details_code'] };

const placeholders = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(([found]) => found).sort();

describe('the languages of the window', () => {
  it('are eight', () => {
    expect(TAGS.toSorted()).to.deep.equal(words`de en es fr it ja nl pt-br`);
  });

  it('are found by a tag with a region, and English by no other', () => {
    expect(words`de-AT pt-BR pt-PT ja-JP en-GB xx`.map((tag) => pickLanguage([tag], TAGS))).to.deep.equal([
      'de',
      'pt-br',
      'pt-br',
      'ja',
      'en',
      undefined,
    ]);
  });

  for (const tag of TAGS) {
    describe(tag, () => {
      let texts: TextsByKey;
      before(async () => {
        texts = await LANGUAGES[tag]();
      });

      it('has every text, and no other', () => {
        expect(Object.keys(texts).sort()).to.deep.equal(KEYS.toSorted());
      });

      it('has the placeholders of English', () => {
        for (const key of KEYS) expect(placeholders(texts[key]), key).to.deep.equal(placeholders((en as TextsByKey)[key]));
      });

      it('has plain texts: nothing empty, no exclamation mark, no markup, no spaces at the ends or in pairs', () => {
        for (const [key, text] of Object.entries(texts))
          expect(text, key)
            .to.match(/^\S(?:.*\S)?$/)
            .and.not.match(/[!！¡<>]| {2}/);
      });

      it('has apostrophes and quotation marks of print', () => {
        for (const [key, text] of Object.entries(texts)) expect(text, key).to.not.match(/['"`]/);
      });

      if (tag !== 'en')
        it('has nothing that was left in English', () => {
          const left = KEYS.filter((key) => texts[key] === (en as TextsByKey)[key] && !SAME[tag]?.includes(key));
          expect(left).to.deep.equal([]);
        });
    });
  }
});

describe('the texts of the window', () => {
  const code = sourceFiles(['ui'])
    .filter(({ path }) => !path.includes('/texts/') && !path.startsWith('ui/pipeline/'))
    .map(({ text }) => text)
    .join('\n');
  /** Keys that are put together: `search_${form}`. */
  const composed = [...code.matchAll(/`([a-z_]*)\$\{[^}]*\}([a-z_]*)`/g)]
    .filter(([, before = '', after = '']) => before + after !== '')
    .map(([, before = '', after = '']) => new RegExp(`^${before}[a-z_]+${after}$`));

  it('are all in use', () => {
    const unused = KEYS.filter((key) => !new RegExp(`\\b${key}\\b`).test(code) && !composed.some((one) => one.test(key)));
    expect(unused).to.deep.equal([]);
  });

  it('that depend on a number come in two forms', () => {
    const names = [...code.matchAll(/`([a-z_]+_)\$\{plural\(/g)].map(([, name = '']) => name);
    expect(names).to.not.deep.equal([]);
    for (const name of names) expect(KEYS).to.include.members([`${name}one`, `${name}other`]);
  });
});
