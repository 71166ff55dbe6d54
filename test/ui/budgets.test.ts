import { expect } from 'chai';
import { type BuiltUi, readBuiltUi } from '../../core/server/pages/built-ui.ts';
import { DIST } from '../../ui/pipeline/manifest.ts';

const KB = 1024;
/** Compressed, before the first screen; and at most how many requests lead there. */
const BUDGETS: Readonly<Record<string, { readonly js: number; readonly css: number; readonly requests: number }>> = {
  'connect/index.html': { js: 20 * KB, css: 5 * KB, requests: 5 },
  // The page of the first screen is a file of its own, and has a call of its own.
  'dashboard/index.html': { js: 45 * KB, css: 10 * KB, requests: 6 },
};
const MAX_CHUNK = 20 * KB;
const LANGUAGE = /^connect\/assets\/(de|en|es|fr|it|ja|nl|pt-br)-/;

describe('the sizes of what browsers load', () => {
  const { files } = readBuiltUi(DIST) as BuiltUi;
  const gzip = (name: string) => files.get(name)?.packed.gzip.length ?? 0;
  const total = (names: readonly string[]) => names.reduce((sum, name) => sum + gzip(name), 0);
  const names = [...files.keys()];
  /** What pages name in their HTML is loaded before anything is shown. */
  const namedBy = (page: string) =>
    [...String(files.get(page)?.content).matchAll(/(?:src|href)="(\w+\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  const pages = names.filter((name) => name.endsWith('.html'));

  it('are counted of every page', () => {
    expect(pages).to.have.members(Object.keys(BUDGETS));
  });

  for (const [page, { js, css, requests }] of Object.entries(BUDGETS)) {
    it(`${page}: at most ${js / KB} KB of script and ${css / KB} KB of styles first, in at most ${requests} requests`, () => {
      const first = namedBy(page);
      expect(total(first.filter((name) => name.endsWith('.js')))).to.be.within(1, js);
      expect(total(first.filter((name) => name.endsWith('.css')))).to.be.at.most(css);
      // The page itself, and the call for its content; in the dashboard a group of pages, and the call for who has signed in.
      expect(first.length + (page.startsWith('dashboard/') ? 4 : 2)).to.be.at.most(requests);
    });
  }

  it('a group of pages of the dashboard: at most 20 KB', () => {
    const first = namedBy('dashboard/index.html');
    const groups = names.filter((name) => /^dashboard\/assets\/.+\.js$/.test(name) && !first.includes(name));
    expect(groups).to.not.deep.equal([]);
    for (const name of groups) expect(gzip(name), name).to.be.at.most(MAX_CHUNK);
  });

  it('a language, of eight: at most 3 KB', () => {
    const languages = names.filter((one) => LANGUAGE.test(one));
    expect(languages).to.have.length(8);
    for (const name of languages) expect(gzip(name), name).to.be.at.most(3 * KB);
  });

  it('the SDK: at most 4 KB', () => {
    expect(gzip('sdk/v1.js')).to.be.within(1, 4 * KB);
  });

  it('everything, uncompressed: at most 510 KB', () => {
    expect([...files.values()].reduce((sum, { content }) => sum + content.length, 0)).to.be.at.most(510 * KB);
  });
});
