import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/source-files.ts';
import { words } from '../support/words.ts';

const LANGUAGES = words`bash ts js py go json text html tsx ini`;
/** Matches paths of this repository's sources, which mean nothing to somebody who has only the product. */
const SOURCE_PATH = /(?<![\w/~])(?:core|test|ui|scripts-runtime|bench|migrations)\/[\w./-]+/g;

const INDEX = 'docs/README.md';
/** The guide that names tests in the last column of its tables; a test of its own checks that they exist. */
const NAMES_TESTS = 'docs/threat-model.md';
const LISTED = linksOf(textOf(INDEX)).map((link) => join('docs', link));

function textOf(path: string): string {
  return readFileSync(join(projectFolder, path), 'utf8');
}

function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !link.startsWith('https://'));
}

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```.*?^ *```$/gms, '');
}

/** Returns the anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  const headings = [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the guides', () => {
  it('are all listed, once', () => {
    const guides = globSync('docs/*.md', { cwd: projectFolder }).filter((path) => path !== INDEX);
    expect(LISTED.filter((path) => path.startsWith('docs/')).toSorted()).to.deep.equal(guides.toSorted());
  });

  for (const page of LISTED) {
    it(`${page}: begins with a title and a lead, and links to pages and headings that exist`, () => {
      const text = textOf(page);
      expect(text).to.match(/^# .+\n\n[A-Z]/);
      const broken = linksOf(text).filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : join(page, '..', path);
        return !LISTED.includes(target) || (anchor !== undefined && !anchorsOf(textOf(target)).includes(anchor));
      });
      expect(broken).to.deep.equal([]);
    });

    it(`${page}: names no sources, and says in which language its blocks are`, () => {
      const text = page === NAMES_TESTS ? textOf(page).replaceAll(/ `[\w/-]+` +\|$/gm, '') : textOf(page);
      const fences = [...text.matchAll(/^ *```(.*)$/gm)].map(([, language = '']) => language);
      expect(fences.filter((_, index) => index % 2 === 0 && !LANGUAGES.includes(fences[index] ?? ''))).to.deep.equal([]);
      expect(withoutCode(text).match(SOURCE_PATH) ?? []).to.deep.equal([]);
    });
  }
});
