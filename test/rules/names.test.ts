import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import {
  descendants,
  parseSource,
  projectFolder,
  SOURCE_FOLDERS,
  type SourceFile,
  sourceFiles,
} from '../support/source-files.ts';

const EMPTY_WORDS = new Set(['utils', 'util', 'helpers', 'common', 'services', 'types', 'misc', 'shared', 'lib']);
const MAY_HAVE_INDEX = /^core\/(contract|auth-modes(\/[^/]+){0,2})\/index\.ts$/;
/** The one file of core that may name a provider, because the documentation needs an example that readers know. */
const EXAMPLES = 'core/api/examples.ts';
/** The plugin of a definition that names none. Its name is part of the interface, so core may contain it. */
const DEFAULT_PLUGIN = 'generic-oauth';

describe('names', () => {
  const files = sourceFiles(SOURCE_FOLDERS);
  const core = files.filter(({ path }) => path.startsWith('core/'));

  it('no folder has an empty name such as utils or helpers', () => {
    const folders = new Set(files.flatMap(({ path }) => dirname(path).split('/')));
    expect([...folders].filter((folder) => EMPTY_WORDS.has(folder))).to.deep.equal([]);
  });

  it('only folders with a public interface have an index.ts', () => {
    const indexes = files.map(({ path }) => path).filter((path) => basename(path) === 'index.ts');
    expect(indexes.filter((path) => !MAY_HAVE_INDEX.test(path))).to.deep.equal([]);
  });

  it('file names are kebab-case', () => {
    const odd = files
      .map(({ path }) => basename(path))
      .filter((name) => !/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(name.replace(/^\d+_/, '').replaceAll('_', '-')));
    expect(odd).to.deep.equal([]);
  });

  it('core names no provider and no plugin', () => {
    expect(slugs()).to.include(DEFAULT_PLUGIN);
    const behaving = core.filter(({ path }) => path !== EXAMPLES);
    expect(behaving.flatMap((file) => slugsNamedIn(file, slugs()))).to.deep.equal([]);
  });

  it('in core only core/config/read.ts reads the environment of the process', () => {
    expect(core.filter(readsEnvironment).map(({ path }) => path)).to.deep.equal(['core/config/read.ts']);
  });
});

describe('rules of names', () => {
  it('find code that reads the environment, not text that names it', () => {
    expect(readsEnvironment(parseSource('core/a.ts', 'const { PATH } = process.env;'))).to.equal(true);
    expect(readsEnvironment(parseSource('core/a.ts', "const define = { 'process.env': '{}' }; // process.env"))).to.equal(false);
  });

  it('find a provider as a whole string, and one with a hyphen anywhere', () => {
    const file = parseSource('core/a.ts', "// of issue-tracker\nif (slug === 'notion') motion();");
    expect(slugsNamedIn(file, ['issue-tracker', 'notion', 'if', DEFAULT_PLUGIN])).to.deep.equal([
      'core/a.ts: issue-tracker',
      'core/a.ts: notion',
    ]);
  });
});

function slugs(): string[] {
  return ['providers', 'plugins'].flatMap((folder) =>
    readdirSync(projectFolder + folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name),
  );
}

function readsEnvironment({ text, tree }: SourceFile): boolean {
  const isRead = (node: ts.Node) => ts.isPropertyAccessExpression(node) && node.getText(tree) === 'process.env';
  return text.includes('process.env') && [...descendants(tree)].some(isRead);
}

/**
 * Returns the slugs of providers that a file names. A slug without a hyphen may also be an English word, so it counts only as a
 * whole string; one with a hyphen counts everywhere.
 */
function slugsNamedIn(file: SourceFile, all: readonly string[]): string[] {
  return all
    .filter((slug) => slug !== DEFAULT_PLUGIN)
    .filter(
      (slug) =>
        ["'", '"', '`'].some((quote) => file.text.includes(quote + slug + quote)) ||
        (slug.includes('-') && file.text.includes(slug)),
    )
    .map((slug) => `${file.path}: ${slug}`);
}
