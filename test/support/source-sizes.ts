import ts from 'typescript';
import { descendants, lineOf, type SourceFile } from './source-files.ts';

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 60;
const MAX_PARAMETERS = 3;
const MAX_NESTING = 3;
const MAX_LINE_LENGTH = 130;

/** What of a file is larger than the house style allows: one sentence each, with the place. */
export function oversizes(file: SourceFile): readonly string[] {
  const lines = file.text.trimEnd().split('\n');
  const functions = [...descendants(file.tree)].filter(isFunctionWithBody);
  return [
    ...(lines.length > MAX_FILE_LINES ? [`${file.path}: ${lines.length} lines, at most ${MAX_FILE_LINES}`] : []),
    ...lines.flatMap((line, index) =>
      line.length > MAX_LINE_LENGTH ? [`${file.path}:${index + 1}: ${line.length} characters, at most ${MAX_LINE_LENGTH}`] : [],
    ),
    ...functions.flatMap((node) => oversizesOfFunction(file, node)),
  ];
}

type FunctionWithBody = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

function oversizesOfFunction(file: SourceFile, node: FunctionWithBody): string[] {
  const first = lineOf(file, node);
  const length = file.tree.getLineAndCharacterOfPosition(node.end).line + 2 - first;
  const nesting = nestingOf(node.body);
  const place = `${file.path}:${first}`;
  return [
    length > MAX_FUNCTION_LINES && !isSuite(node) && `${place}: a function of ${length} lines, at most ${MAX_FUNCTION_LINES}`,
    node.parameters.length > MAX_PARAMETERS && `${place}: ${node.parameters.length} parameters, at most ${MAX_PARAMETERS}`,
    nesting > MAX_NESTING && `${place}: statements nested ${nesting} deep, at most ${MAX_NESTING}`,
  ].filter((fault) => fault !== false);
}

function isFunctionWithBody(node: ts.Node): node is FunctionWithBody {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** The callback of `describe` holds a list of tests, not a story. */
function isSuite(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && /^describe(\.only|\.skip)?$/.test(node.parent.expression.getText());
}

/** How deep branches and loops stand in each other; a function inside begins again at 0, `else if` adds nothing. */
function nestingOf(node: ts.Node): number {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return 0;
  const deepest = Math.max(0, ...node.getChildren().map(nestingOf));
  const isElseIf = ts.isIfStatement(node) && ts.isIfStatement(node.parent) && node.parent.elseStatement === node;
  return deepest + (opensBlock(node) && !isElseIf ? 1 : 0);
}

function opensBlock(node: ts.Node): boolean {
  return ts.isIfStatement(node) || ts.isIterationStatement(node, false) || ts.isSwitchStatement(node) || ts.isTryStatement(node);
}
