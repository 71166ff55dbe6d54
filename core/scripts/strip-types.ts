import { stripTypeScriptTypes } from 'node:module';
import { SourceError, type SourceFault, type SourcePosition, TOO_DEEP } from './source-fault.ts';

const MAX_MESSAGE = 300;
/** The width of a tab in the stripper's code frame. */
const TAB = 4;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60\u3000]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** The type stripper's names for TypeScript that would need code generation, each with the alternative to suggest. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/enum/, 'enums are not supported; use an object with `as const`, or a union of strings'],
  [/namespace|module/, 'namespaces are not supported; use an object, or plain functions and constants'],
  [/parameter property/, 'parameter properties are not supported; declare the field, and assign it in the constructor'],
  [/import equals/, '`import … = require(…)` is not supported: scripts are ES modules without imports'],
  [/export assignment/, '`export =` is not supported: scripts are ES modules; use `export default`'],
  [/angle-bracket/, 'assertions in angle brackets are not supported; write `value as Type`'],
];

/**
 * Returns the JavaScript of a TypeScript source, with unchanged lines and columns.
 *
 * To be called only in a disposable thread: a deeply nested source makes the stripper of its thread unusable, and a few hundred
 * characters can occupy it for minutes.
 *
 * @throws SourceError for a syntax error, and for TypeScript that would need code generation
 */
export function stripTypes(source: string): string {
  try {
    return stripTypeScriptTypes(source, { mode: 'strip' });
  } catch (error) {
    throw new SourceError(faultOf(error, source));
  }
}

function faultOf(error: unknown, source: string): SourceFault {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (!(error instanceof Error) || (code !== 'ERR_INVALID_TYPESCRIPT_SYNTAX' && code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'))
    return TOO_DEEP;

  const text = error.message.slice(0, MAX_MESSAGE);
  const at = text.includes("'<eof>'") ? endOf(source) : positionIn(error.stack ?? '', source);
  if (code === 'ERR_INVALID_TYPESCRIPT_SYNTAX') return { code: 'syntax_error', message: text, at };
  const [, advice = text] = UNSUPPORTED.find(([name]) => name.test(text)) ?? [];
  return { code: 'unsupported_syntax', message: advice, at };
}

/**
 * Returns the position of an error, which only the code frame at the head of its stack shows: the first line ends with the number
 * of the source line above the carets, such as `:3`; the indentation of the carets is the display width before the column.
 */
function positionIn(stack: string, source: string): SourcePosition {
  const [head = '', ...picture] = stack.split('\n');
  const line = Number(/:(\d+)$/.exec(head)?.[1] ?? 1);
  const end = picture.findIndex((drawn) => drawn.startsWith('SyntaxError ['));
  const carets = picture.slice(0, end).findLast((drawn) => /^ *\^+$/.test(drawn));
  const text = source.split(/\r\n|[\r\n\u2028\u2029]/)[line - 1] ?? '';
  return { line, column: carets === undefined ? firstColumn(text) : columnAt(text, carets.indexOf('^')) };
}

function firstColumn(line: string): number {
  return line.length - line.trimStart().length + 1;
}

/** @param width the display width before the column */
function columnAt(line: string, width: number): number {
  let drawn = 0;
  let column = 1;
  for (const character of line) {
    if (drawn >= width && !NO_WIDTH.test(character)) break;
    drawn += widthOf(character);
    column += character.length;
  }
  return column;
}

function widthOf(character: string): number {
  if (character === '\t') return TAB;
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

function endOf(source: string): SourcePosition {
  const lines = source.trimEnd().split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
