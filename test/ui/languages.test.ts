import { expect } from 'chai';
import { BUNDLED_PLUGINS, BUNDLED_PROVIDERS } from '../../core/catalogue/bundled-folders.ts';
import { readCatalogue } from '../../core/catalogue/catalogue.ts';
import { LANGUAGE_TAGS, pickLanguage } from '../../core/kit/language.ts';
import { categoryLabel } from '../../ui/connect/category-label.ts';
import { en, type TextKey } from '../../ui/connect/texts/en.ts';
import { LANGUAGES } from '../../ui/connect/texts/languages.ts';
import { loadLanguage, translator } from '../../ui/connect/texts/translate.ts';
import { sourceFiles } from '../support/source-files.ts';
import { words } from '../support/words.ts';

type TextsByKey = Readonly<Record<string, string>>;

const KEYS = Object.keys(en);
/** The keys of the texts that are the same in a language as in English, by language. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  de: ['optional', 'details_code', 'category_marketing'],
  es: ['category_marketing'],
  fr: ['category_communication', 'category_documents', 'category_email', 'category_marketing'],
  it: ['category_email', 'category_marketing'],
  nl: ['category_email', 'category_marketing'],
  'pt-br': ['category_email', 'category_marketing'],
};
const SAME_EVERYWHERE: readonly string[] = ['category_crm', 'category_erp'];

const placeholders = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(([found]) => found).sort();

describe('the languages of the window', () => {
  it('are eight', () => {
    expect(Object.keys(LANGUAGES).toSorted()).to.deep.equal(words`de en es fr it ja nl pt-br`);
  });

  it('are found by a tag with a region, and an unsupported tag finds none', () => {
    expect(words`de-AT pt-BR pt-PT ja-JP en-GB xx`.map((tag) => pickLanguage([tag]))).to.deep.equal([
      'de',
      'pt-br',
      'pt-br',
      'ja',
      'en',
      undefined,
    ]);
  });

  for (const tag of LANGUAGE_TAGS) {
    describe(tag, () => {
      let texts: TextsByKey;
      before(async () => {
        texts = await LANGUAGES[tag]();
      });

      it('has every text, and no other', () => {
        expect(Object.keys(texts).sort()).to.deep.equal(KEYS.toSorted());
      });

      it('has the same placeholders as English', () => {
        for (const key of KEYS) expect(placeholders(texts[key]), key).to.deep.equal(placeholders((en as TextsByKey)[key]));
      });

      it('has plain texts: none is empty, and none has exclamation marks, markup, spaces at the ends or double spaces', () => {
        for (const [key, text] of Object.entries(texts))
          expect(text, key)
            .to.match(/^\S(?:.*\S)?$/)
            .and.not.match(/[!！¡<>]| {2}/);
      });

      it('has typographic apostrophes and quotation marks', () => {
        for (const [key, text] of Object.entries(texts)) expect(text, key).to.not.match(/['"`]/);
      });

      if (tag !== 'en')
        it('has no text that was left in English', () => {
          const same = [...(SAME[tag] ?? []), ...SAME_EVERYWHERE];
          const left = KEYS.filter((key) => texts[key] === (en as TextsByKey)[key] && !same.includes(key));
          expect(left).to.deep.equal([]);
        });
    });
  }
});

describe('the categories of the picker', () => {
  it('each have a text if the catalogue uses them', async () => {
    const catalogue = await readCatalogue([BUNDLED_PROVIDERS, BUNDLED_PLUGINS]);
    const used = new Set(catalogue.list().flatMap(({ definition }) => definition.categories ?? []));
    expect(used.size).to.be.above(10);
    const missing = [...used].filter((one) => one !== 'other' && !KEYS.includes(`category_${one.replaceAll('-', '_')}`));
    expect(missing).to.deep.equal([]);
  });

  it('are named in the language, an operator’s own literally, and “other” not at all', async () => {
    const german = await loadLanguage(['de']);
    expect(words`accounting dev-tools own-kind other`.map((one) => categoryLabel(german, one))).to.deep.equal([
      'Buchhaltung',
      'Entwicklung',
      'own kind',
      '',
    ]);
  });
});

describe('the name of the application', () => {
  const isOfWindow = (key: string): key is TextKey => Object.hasOwn(en, key);

  it('is in the text if it is known, and is missed nowhere if it is not', () => {
    const language = { tag: 'en', texts: en };
    const texts = ['link_asks', 'may_disconnect', 'back_to'] as const;
    expect(texts.map((key) => translator(language, 'Northwind')(key))).to.deep.equal([
      'Northwind wants to connect your account.',
      'You can disconnect at any time in Northwind',
      'Back to Northwind',
    ]);
    expect(texts.map((key) => translator(language, null)(key))).to.deep.equal([
      'You are asked to connect your account.',
      'You can disconnect at any time',
      'Done',
    ]);
  });

  for (const tag of LANGUAGE_TAGS)
    it(`leaves nothing to be filled in and no gap in ${tag}`, async () => {
      const language = { tag, texts: await LANGUAGES[tag]() };
      for (const app of ['Northwind', null])
        for (const key of KEYS.filter(isOfWindow)) {
          const text = translator(language, app)(key);
          expect(text, key)
            .to.match(/^\S(?:.*\S)?$/)
            .and.not.match(/[[\]|]|\{app\}| {2}| [.,]/);
          if (app !== null) expect(text.includes(app), key).to.equal(en[key].includes('{app}'));
        }
    });
});

describe('the texts of the window', () => {
  const code = sourceFiles(['ui/connect', 'ui/kit'])
    .filter(({ path }) => !path.includes('/texts/'))
    .map(({ text }) => text)
    .join('\n');
  /** Patterns of the keys that the code builds with a variable, such as `search_${form}`. */
  const composed = [...code.matchAll(/`([a-z_]*)\$\{[^}]*\}([a-z_]*)`/g)]
    .filter(([, before = '', after = '']) => before + after !== '')
    .map(([, before = '', after = '']) => new RegExp(`^${before}[a-z_]+${after}$`));

  it('are all in use', () => {
    const unused = KEYS.filter((key) => !new RegExp(`\\b${key}\\b`).test(code) && !composed.some((one) => one.test(key)));
    expect(unused).to.deep.equal([]);
  });

  it('come in two forms if they depend on a number', () => {
    const names = [...code.matchAll(/`([a-z_]+_)\$\{plural\(/g)].map(([, name = '']) => name);
    expect(names).to.not.deep.equal([]);
    for (const name of names) expect(KEYS).to.include.members([`${name}one`, `${name}other`]);
  });
});
