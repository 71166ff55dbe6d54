import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { en } from '../../../ui/dashboard/app/texts/en.ts';
import { translatorOf } from '../../../ui/dashboard/app/texts/translate.ts';
import { projectFolder, sourceFiles } from '../../support/source-files.ts';

const FILES = sourceFiles(['ui/dashboard']);
/** The files with the texts of each group of pages. Each exports an object that is passed to `translatorOf`. */
const GROUPS = FILES.filter(({ path }) => path.endsWith('/texts.ts'));
const KEY = /^ {2}(\w+):/gm;

/** Each file of texts, with the folder of the code that may use its texts. */
const PARTS = [
  { name: 'ui/dashboard/app/texts/en.ts', folder: 'ui/dashboard/', texts: en as Readonly<Record<string, string>> },
  ...(await Promise.all(
    GROUPS.map(async ({ path }) => {
      const { texts } = await import(pathToFileURL(projectFolder + path).href);
      return { name: path, folder: `${dirname(path)}/`, texts: texts as Readonly<Record<string, string>> };
    }),
  )),
];

describe('the texts of the dashboard', () => {
  it('are found, including those of each group of pages', () => {
    expect(PARTS.length).to.be.at.least(2);
    expect(KEY.test(GROUPS[0]?.text ?? '')).to.equal(true);
  });

  for (const { name, folder, texts } of PARTS) {
    it(`${name}: plain, with typographic marks, and all in use`, () => {
      const code = FILES.filter(({ path }) => path.startsWith(folder) && path !== name)
        .map(({ text }) => text)
        .join('\n');
      /** The beginnings of the keys that the code builds with a variable, such as `nav_${page}`. */
      const composed = [...code.matchAll(/`([a-z_]+_)\$\{[^}]*\}`/g)].map(([, begin = '']) => begin);
      for (const [key, text] of Object.entries(texts)) {
        expect(text, key)
          .to.match(/^\S(?:.*\S)?$/)
          .and.not.match(/[!<>]| {2}|['"`]|\b(?:please|successfully)\b/i);
        const stem = key.replace(/_(?:one|other)$/, '');
        const isUsed = new RegExp(`'${stem}'`).test(code) || new RegExp(`'${key}'`).test(code);
        expect(isUsed || composed.some((begin) => key.startsWith(begin)), `${key} is used`).to.equal(true);
      }
    });
  }

  it('are filled in, in singular or plural', () => {
    const t = translatorOf({ rows_one: '{count} row of {name}', rows_other: '{count} rows of {name}', hello: 'Hello {name}' });
    expect([
      t('hello', { name: '{x}' }),
      t.count('rows', 1, { name: 'a' }),
      t.count('rows', 12_408, { name: 'a' }),
    ]).to.deep.equal(['Hello {x}', '1 row of a', '12,408 rows of a']);
  });
});
