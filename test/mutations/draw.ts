import { createHash } from 'node:crypto';
import ts from 'typescript';
import { SeededRandom } from '../support/seeded-random.ts';
import { descendants, lineOf, type SourceFile, sourceFiles } from '../support/source-files.ts';

/**
 * Draws faults for `mutants.ts`: `node test/mutations/draw.ts <seed> [<how many>]`. Each fault is in a different folder, and the
 * kinds of faults alternate. A drawn fault that does not change what the code does has to be left out by hand, with the reason in
 * `mutants.ts`; the next one takes its place.
 */

interface Draw {
  readonly line: number;
  readonly path: string;
  readonly find: string;
  readonly replace: string;
}

type Kind = (file: SourceFile, node: ts.Node) => readonly [from: ts.Node, start: number, end: number, text: string] | undefined;

const FOLDERS = ['core', 'plugins', 'scripts-runtime', 'sdk', 'ui'];

const KINDS: Readonly<Record<string, Kind>> = {
  'a condition negated': (_, node) => {
    const condition = ts.isIfStatement(node) ? node.expression : ts.isConditionalExpression(node) ? node.condition : undefined;
    return condition && [condition, condition.getStart(), condition.end, `!(${condition.getText()})`];
  },
  'an await removed': (_, node) =>
    ts.isAwaitExpression(node) ? [node, node.getStart(), node.end, node.expression.getText()] : undefined,
  'an argument removed': (_, node) => {
    if (!ts.isCallExpression(node)) return undefined;
    const last = node.arguments.at(-1);
    const before = node.arguments.at(-2);
    return last && [last, before?.end ?? last.getStart(), last.end, ''];
  },
  'a where removed': (_, node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
    const { name, expression } = node.expression;
    return /^(?:where|andWhere)/.test(name.text) ? [node, expression.end, node.end, ''] : undefined;
  },
};

/** Returns the folder that gets at most one fault, such as a folder of `core` or a client in `sdk`. */
function roomOf({ path }: SourceFile): string {
  const [top = '', second = ''] = path.split('/');
  return second.includes('.') ? top : `${top}/${second}`;
}

function drawsOf(file: SourceFile, kind: Kind): readonly Draw[] {
  const draws: Draw[] = [];
  for (const node of descendants(file.tree)) {
    const change = kind(file, node);
    if (change === undefined) continue;
    const [at, start, end, text] = change;
    const isOneLine = !file.text.slice(start, end).includes('\n');
    if (isOneLine) draws.push({ line: lineOf(file, at), path: file.path, ...inItsLine(file.text, { start, end, text }) });
  }
  return draws;
}

/** Returns the whole line that contains a change, before and after it. */
function inItsLine(
  source: string,
  { start, end, text }: { start: number; end: number; text: string },
): Pick<Draw, 'find' | 'replace'> {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const to = source.indexOf('\n', end);
  return { find: source.slice(from, to), replace: source.slice(from, start) + text + source.slice(end, to) };
}

function shuffled<T>(random: SeededRandom, list: readonly T[]): readonly T[] {
  return list
    .map((one) => [random.next(), one] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, one]) => one);
}

const [seed = '', count = '40'] = process.argv.slice(2);
const random = new SeededRandom(createHash('sha256').update(seed).digest().readUInt32BE(0));
const files = sourceFiles(FOLDERS).filter(({ path }) => !path.endsWith('.test.ts'));
const rooms = [...Map.groupBy(files, roomOf)].sort(([one], [other]) => (one < other ? -1 : 1));
const kinds = Object.entries(KINDS);
let at = 0;
for (const [room, own] of shuffled(random, rooms)) {
  if (at === Number(count)) break;
  const [name = '', kind] = kinds[at % kinds.length] ?? [];
  const draws = kind ? own.flatMap((file) => drawsOf(file, kind)) : [];
  if (draws.length === 0) continue;
  const { path, line, find, replace } = random.pick(draws);
  console.log(`${++at}. ${room}: ${name} (${path}:${line})\n- ${find}\n+ ${replace}\n`);
}
