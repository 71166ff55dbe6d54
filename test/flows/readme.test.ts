import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { countOf } from '../../ui/dashboard/pages/integrations/sections.ts';
import { projectFolder } from '../support/source-files.ts';
import { startTenant } from '../support/tenant.ts';

const DOCUMENTS = [
  'README.md',
  'core/README.md',
  'core/architecture.md',
  'docs/command-line.md',
  'docs/migrating-from-public-keys.md',
  'docs/operating.md',
  'docs/sandbox.md',
  'docs/scopes.md',
  'docs/scripts.md',
  'docs/security-scope.md',
  'docs/webhooks.md',
  'examples/app/README.md',
  'scripts-runtime/README.md',
  'sdk/node/README.md',
];

const textOf = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

/** Returns the paths in a document: those of links, and those in code quotes that end with a known extension or a slash. */
function namedPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`([a-z0-9.-]+(?:\/[a-z0-9.-]+)*(?:\/|\.(?:ts|cjs|env|md)))`/g)].map(([, path = '']) => path);
  const linked = [...text.matchAll(/\]\(([^)#:]+)\)|^\[[\w-]+\]: ([^#:\n]+)(?:#.*)?$/gm)].map(
    ([, path, named = '']) => path ?? named,
  );
  return [...new Set([...quoted, ...linked])];
}

describe('the documents', () => {
  for (const document of DOCUMENTS) {
    it(`${document} names only files that exist`, () => {
      const places = ['.', 'core', dirname(document)];
      const missing = namedPaths(textOf(document)).filter(
        (path) => !places.some((place) => existsSync(join(projectFolder, place, path))),
      );
      expect(missing).to.deep.equal([]);
    });
  }

  it('core/architecture.md names many of the files', () => {
    expect(namedPaths(textOf('core/architecture.md'))).to.have.length.greaterThan(40);
  });
});

describe('README.md', () => {
  const text = textOf('README.md');

  it('fits into a few screens, and its pictures load fast', () => {
    expect(text.split('\n').length).to.be.below(100);
    const pictures = [...new Set(text.match(/docs\/pictures\/[\w.-]+/g))];
    expect(pictures).to.have.length(2);
    const bytes = pictures.reduce((sum, path) => sum + statSync(join(projectFolder, path)).size, 0);
    expect(bytes).to.be.below(300_000);
  });

  it('names the number of providers of the catalogue', async () => {
    await using app = await startTenant();
    const { body } = await app.api.get('/providers');
    expect(text).to.contain(`| ${countOf(body.data)}, each with`);
  });

  it('says of other products what a page says, or that none was found', () => {
    const [, table = ''] = /^## How it compares\n\n(.*?)\n\n/ms.exec(text) ?? [];
    const cells = table
      .split('\n')
      .slice(2)
      .flatMap((row) => row.split('|').slice(3, -1));
    expect(cells.length).to.be.above(10);
    expect(cells.filter((cell) => !/^ *(\[[^\]]+\]\[[\w-]+\]|–) *$/.test(cell))).to.deep.equal([]);
    const used = [...text.matchAll(/\]\[([\w-]+)\]/g)].map(([, name = '']) => name);
    const given = [...text.matchAll(/^\[([\w-]+)\]: \S+$/gm)].map(([, name = '']) => name);
    expect([...new Set(used)].toSorted()).to.deep.equal(given.toSorted());
  });

  it('names tests and benchmarks that exist, which prove its figures', () => {
    const commands = [...text.matchAll(/`npm (?:test|run bench) -- ([^`]+)`/g)].map(([, names = '']) => names);
    expect(commands).to.have.length.above(3);
    const paths = commands.flatMap((names) => names.split(' ')).map((name) => (name.includes('/') ? name : `bench/${name}.ts`));
    expect(paths.filter((path) => !existsSync(join(projectFolder, path)))).to.deep.equal([]);
  });
});
