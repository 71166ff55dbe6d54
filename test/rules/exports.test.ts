import { posix } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { parseSource, SOURCE_FOLDERS, type SourceFile, sourceFiles } from '../support/source-files.ts';

const DYNAMIC = /import\('(\.[^']+)'\)/g;

describe('exports in core/', () => {
  // The contract is left out, because plugins outside this project import from it.
  const isOurs = ({ path }: SourceFile) => path.startsWith('core/') && !path.startsWith('core/contract/');

  it('are imported by other files', () => {
    expect(unusedExports(sourceFiles(SOURCE_FOLDERS), isOurs)).to.deep.equal([]);
  });
});

describe('the rule of exports', () => {
  it('finds an export that is not imported, whichever way the others are imported', () => {
    const files = [
      parseSource(
        'core/a.ts',
        'export const one = 1, two = 2; export interface Three {} export function four() {} const five = 5;',
      ),
      parseSource('core/b.ts', "import { one, type Three as T } from './a.ts'; export const six = 6;"),
      parseSource('core/c/d.ts', "const { six } = await import('../b.ts'); export { four } from '../a.ts';"),
    ];
    expect(unusedExports(files, () => true)).to.deep.equal(['core/a.ts: two']);
  });
});

/** Returns `path: name` of every export that no other file imports. A dynamic import counts as importing everything. */
function unusedExports(files: readonly SourceFile[], isChecked: (file: SourceFile) => boolean): readonly string[] {
  const used = new Set(files.flatMap(importsOf));
  return files
    .filter((file) => isChecked(file) && !used.has(`${file.path}: *`))
    .flatMap((file) => exportsOf(file).map((name) => `${file.path}: ${name}`))
    .filter((name) => !used.has(name));
}

function exportsOf({ tree }: SourceFile): readonly string[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return [];
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText(tree));
    const name = 'name' in statement ? (statement.name as ts.Identifier | undefined) : undefined;
    return name === undefined ? [] : [name.getText(tree)];
  });
}

/** Returns `path: name` of every name that a file imports or re-exports, and `path: *` where it imports a whole module. */
function importsOf({ path, text, tree }: SourceFile): readonly string[] {
  const resolve = (specifier: string) => posix.join(posix.dirname(path), specifier);
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, specifier = '']) => `${resolve(specifier)}: *`);
  const named = tree.statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement);
    if (!isImport && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const bindings = isImport ? statement.importClause?.namedBindings : statement.exportClause;
    const names =
      bindings !== undefined && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))
        ? bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).getText(tree))
        : ['*'];
    return names.map((name) => `${resolve(moduleSpecifier.text)}: ${name}`);
  });
  return [...dynamic, ...named];
}
