import { expect } from 'chai';
import { type BuiltUi, readBuiltUi } from '../../core/server/pages/built-ui.ts';
import { DIST } from '../../ui/pipeline/manifest.ts';

const KB = 1024;
/** The limits for the sizes of the compressed files and for the number of requests before the first screen appears. */
const BUDGETS: Readonly<Record<string, { readonly js: number; readonly css: number; readonly requests: number }>> = {
  'connect/index.html': { js: 20 * KB, css: 5 * KB, requests: 5 },
  // The dashboard's first screen needs one file and one API call more than the connect window's.
  'dashboard/index.html': { js: 45 * KB, css: 10 * KB, requests: 6 },
};
const MAX_CHUNK = 20 * KB;
/** The editor of scripts, which is loaded only where somebody writes one. */
const EDITOR = /^dashboard\/assets\/editor-/;
const LANGUAGE = /^connect\/assets\/(de|en|es|fr|it|ja|nl|pt-br)-/;

describe('the sizes of what browsers load', () => {
  const { files } = readBuiltUi(DIST) as BuiltUi;
  const gzip = (name: string) => files.get(name)?.packed.gzip.length ?? 0;
  const total = (names: readonly string[]) => names.reduce((sum, name) => sum + gzip(name), 0);
  const names = [...files.keys()];
  /** Returns the files that the HTML of a page names, all of which are loaded before anything is shown. */
  const namedBy = (page: string) =>
    [...String(files.get(page)?.content).matchAll(/(?:src|href)="(\w+\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  const pages = names.filter((name) => name.endsWith('.html'));

  it('have a limit for every page', () => {
    expect(pages).to.have.members(Object.keys(BUDGETS));
  });

  for (const [page, { js, css, requests }] of Object.entries(BUDGETS)) {
    it(`${page}: at most ${js / KB} KB of script and ${css / KB} KB of styles first, in at most ${requests} requests`, () => {
      const first = namedBy(page);
      expect(total(first.filter((name) => name.endsWith('.js')))).to.be.within(1, js);
      expect(total(first.filter((name) => name.endsWith('.css')))).to.be.at.most(css);
      // In addition to these files, the browser requests the page and its content, and in the dashboard also the script of a
      // group of pages and the data of the signed-in member.
      expect(first.length + (page.startsWith('dashboard/') ? 4 : 2)).to.be.at.most(requests);
    });
  }

  it('are at most 20 KB for a group of dashboard pages', () => {
    const first = namedBy('dashboard/index.html');
    const groups = names.filter(
      (name) => /^dashboard\/assets\/.+\.js$/.test(name) && !first.includes(name) && !EDITOR.test(name),
    );
    expect(groups).to.not.deep.equal([]);
    for (const name of groups) expect(gzip(name), name).to.be.at.most(MAX_CHUNK);
  });

  it('are at most 150 KB for the editor of scripts, which no page names before it is needed', () => {
    const editor = names.filter((name) => EDITOR.test(name));
    expect(editor).to.have.length(1);
    expect(total(editor)).to.be.at.most(150 * KB);
    expect(pages.flatMap(namedBy).filter((name) => EDITOR.test(name))).to.deep.equal([]);
  });

  it('are at most 3 KB for each of eight languages', () => {
    const languages = names.filter((one) => LANGUAGE.test(one));
    expect(languages).to.have.length(8);
    for (const name of languages) expect(gzip(name), name).to.be.at.most(3 * KB);
  });

  it('are at most 4 KB for a page of the documentation, and 8 KB for its search', () => {
    const scripts = names.filter((one) => one.startsWith('docs/assets/'));
    expect(scripts).to.have.length(2);
    for (const name of scripts) expect(gzip(name), name).to.be.at.most((name.includes('/main-') ? 4 : 8) * KB);
  });

  it('are at most 4 KB for the SDK', () => {
    expect(gzip('sdk/v1.js')).to.be.within(1, 4 * KB);
  });

  it('are at most 640 KB for everything but the editor and the documentation, uncompressed', () => {
    const others = [...files].filter(([name]) => !EDITOR.test(name) && !name.startsWith('docs/'));
    expect(others.reduce((sum, [, { content }]) => sum + content.length, 0)).to.be.at.most(640 * KB);
  });
});
