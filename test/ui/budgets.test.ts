import { expect } from 'chai';
import { type BuiltUi, readBuiltUi } from '../../core/http/built-ui.ts';
import { DIST } from '../../ui/pipeline/manifest.ts';

const KB = 1024;
const LANGUAGE = /^connect\/assets\/(de|en|es|fr|it|ja|nl|pt-br)-/;

describe('the sizes of what browsers load', () => {
  const { files } = readBuiltUi(DIST) as BuiltUi;
  const gzip = (name: string) => files.get(name)?.packed.gzip.length ?? 0;
  const total = (names: readonly string[]) => names.reduce((sum, name) => sum + gzip(name), 0);
  const names = [...files.keys()];
  /** What pages name in their HTML is loaded before anything is shown. */
  const namedBy = (page: string) =>
    [...String(files.get(page)?.content).matchAll(/(?:src|href)="(connect\/[^"]+)"/g)].map(([, path = '']) => path);
  const pages = names.filter((name) => name.endsWith('.html'));

  it('are counted of at least one page', () => {
    expect(pages).to.include('connect/index.html');
  });

  for (const page of pages) {
    it(`${page}: at most 20 KB of script and 5 KB of styles before its first screen, in at most 5 requests`, () => {
      const first = namedBy(page);
      expect(total(first.filter((name) => name.endsWith('.js')))).to.be.within(1, 20 * KB);
      expect(total(first.filter((name) => name.endsWith('.css')))).to.be.at.most(5 * KB);
      // The page itself, and the call for its content.
      expect(first.length + 2).to.be.at.most(5);
    });
  }

  it('a language, of eight: at most 3 KB', () => {
    const languages = names.filter((one) => LANGUAGE.test(one));
    expect(languages).to.have.length(8);
    for (const name of languages) expect(gzip(name), name).to.be.at.most(3 * KB);
  });

  it('the SDK: at most 4 KB', () => {
    expect(gzip('sdk/v1.js')).to.be.within(1, 4 * KB);
  });

  it('everything, uncompressed: at most 500 KB', () => {
    expect([...files.values()].reduce((sum, { content }) => sum + content.length, 0)).to.be.at.most(500 * KB);
  });
});
