import { expect } from 'chai';
import ts from 'typescript';
import { descendants, lineOf, parseSource, type SourceFile, sourceFiles } from '../support/source-files.ts';

/** The only files of core that may contain SQL or name a table. */
const STORES = /^core\/(db\/.*|.*-store)\.ts$/;
/** Methods of knex whose argument is SQL. */
const RAW = /^(raw|(or)?(where|having)Raw|(orderBy|groupBy|from|join)Raw)$/;
const DATABASES = new Set(['db', 'trx', 'knex']);

describe('SQL', () => {
  it('is in stores and core/db alone', () => {
    const found = sourceFiles(['core'])
      .filter(({ path }) => !STORES.test(path))
      .flatMap(statements);
    expect(found, found.join('\n')).to.deep.equal([]);
  });

  const plants = [
    ["await db.raw('select 1');", true],
    ["await trx('accounts').first();", true],
    ["await deps.db<Row>('accounts').first();", true],
    ["query.whereRaw('a = 1');", true],
    ['String.raw`a`;', false],
    ["find(db, 'accounts');", false],
  ] as const;

  for (const [text, isFound] of plants) {
    it(`is ${isFound ? 'found' : 'not found'} in ${text}`, () => {
      expect(statements(parseSource('core/a.ts', text)).length > 0).to.equal(isFound);
    });
  }
});

/** Returns the calls in a file that contain SQL or name a table, each with its line. */
function statements(file: SourceFile): readonly string[] {
  return [...descendants(file.tree)]
    .filter((node) => ts.isCallExpression(node) && (isRaw(node.expression) || isDatabase(node.expression)))
    .map((node) => `${file.path}:${lineOf(file, node)}: ${node.getText(file.tree).slice(0, 80)}`);
}

function isRaw(callee: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(callee) && RAW.test(callee.name.text) && callee.getText() !== 'String.raw';
}

function isDatabase(callee: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  return ts.isIdentifier(name) && DATABASES.has(name.text);
}
