import ts from 'typescript';
import { descendants, lineOf, type SourceFile } from './source-files.ts';

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 60;
const MAX_PARAMETERS = 3;
const MAX_NESTING = 3;
const MAX_LINE_LENGTH = 130;

/** Returns a sentence, with the place, for each file or function that is larger than the house style allows. */
export function oversizes(file: SourceFile): readonly string[] {
  const lines = linesOf(file).length;
  const functions = functionsOf(file).map((node) => ({ node, first: lineOf(file, node) }));
  return [
    lines > MAX_FILE_LINES && `${file.path}: ${lines} lines, at most ${MAX_FILE_LINES}`,
    ...functions.map(({ node, first }) => {
      const length = file.tree.getLineAndCharacterOfPosition(node.end).line + 2 - first;
      const isOversize = length > MAX_FUNCTION_LINES && !isSuite(node);
      return isOversize && `${file.path}:${first}: a function of ${length} lines, at most ${MAX_FUNCTION_LINES}`;
    }),
  ].filter((fault) => fault !== false);
}

/**
 * Returns a sentence for each departure from the usual style. Departures are not errors, because code must not be distorted to
 * satisfy a rule.
 */
export function unusual(file: SourceFile): readonly string[] {
  const long = linesOf(file).flatMap((line, index) =>
    line.length > MAX_LINE_LENGTH ? [`${file.path}:${index + 1}: ${line.length} characters, more than ${MAX_LINE_LENGTH}`] : [],
  );
  return [...long, ...functionsOf(file).flatMap((node) => unusualIn(file, node))];
}

type FunctionWithBody = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

function unusualIn(file: SourceFile, node: FunctionWithBody): string[] {
  const nesting = nestingOf(node.body);
  const place = `${file.path}:${lineOf(file, node)}`;
  return [
    node.parameters.length > MAX_PARAMETERS && `${place}: ${node.parameters.length} parameters, more than ${MAX_PARAMETERS}`,
    nesting > MAX_NESTING && `${place}: statements nested ${nesting} deep, more than ${MAX_NESTING}`,
  ].filter((departure) => departure !== false);
}

function linesOf({ text }: SourceFile): readonly string[] {
  return text.trimEnd().split('\n');
}

function functionsOf({ tree }: SourceFile): readonly FunctionWithBody[] {
  return [...descendants(tree)].filter(isFunctionWithBody);
}

function isFunctionWithBody(node: ts.Node): node is FunctionWithBody {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** Returns whether a function is the callback of `describe`, which is a list of tests and may be long. */
function isSuite(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && /^describe(\.only|\.skip)?$/.test(node.parent.expression.getText());
}

/** Returns how deeply branches and loops are nested. Inner functions are counted separately, and `else if` adds nothing. */
function nestingOf(node: ts.Node): number {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return 0;
  const deepest = Math.max(0, ...node.getChildren().map(nestingOf));
  const isElseIf = ts.isIfStatement(node) && ts.isIfStatement(node.parent) && node.parent.elseStatement === node;
  return deepest + (opensBlock(node) && !isElseIf ? 1 : 0);
}

function opensBlock(node: ts.Node): boolean {
  return ts.isIfStatement(node) || ts.isIterationStatement(node, false) || ts.isSwitchStatement(node) || ts.isTryStatement(node);
}
