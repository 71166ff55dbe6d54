import { globSync, readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { expect } from 'chai';
import ts from 'typescript';
import { compilePattern } from '../../core/contract/compile-pattern.ts';
import { apiDocument } from '../support/requests/operations.ts';
import { textFor } from '../support/requests/pattern-text.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { descendants, lineOf, parseSource, projectFolder } from '../support/source-files.ts';
import { words } from '../support/words.ts';

const LENGTH = 10_000;
const MAX_MS = 20;
/** The time after which a search is stopped. A text that takes this long is not tried again. */
const GIVE_UP_MS = 1_000;
/** How often a slow text is tried. The machine has other work, too, so only a text that is slow every time counts. */
const TRIES = 4;

interface Pattern {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** Returns every regular expression literal in code that runs in the service or a client, or that a browser loads. */
function literalsInCode(): Pattern[] {
  const paths = globSync('{core,plugins,ui,sdk,docs,migrations}/**/*.{ts,tsx,js}', { cwd: projectFolder });
  return paths
    .filter((path) => !/node_modules|\.test\.ts$|\.d\.ts$|\/dist\//.test(path))
    .sort()
    .flatMap((path) => {
      const file = parseSource(path, readFileSync(projectFolder + path, 'utf8'));
      return [...descendants(file.tree)].filter(ts.isRegularExpressionLiteral).map((node): Pattern => {
        const end = node.text.lastIndexOf('/');
        return { where: `${path}:${lineOf(file, node)}`, source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
      });
    });
}

/** Returns the patterns of form fields, compiled as the service compiles them. */
function patternsOfCatalogue(): Pattern[] {
  return globSync('{providers,plugins}/*/provider.json', { cwd: projectFolder }).flatMap((path) => {
    return patternsIn(JSON.parse(readFileSync(projectFolder + path, 'utf8')), path).map(({ where, source }) => {
      const { source: compiled, flags } = compilePattern(source);
      return { where, source: compiled, flags };
    });
  });
}

/** Returns the patterns of all paths, parameters and bodies in the OpenAPI document, including zod's for dates and addresses. */
function patternsOfRoutes(): Pattern[] {
  const known = new Map(patternsIn({ ...apiDocument }, 'route').map((pattern) => [pattern.source, pattern]));
  return [...known.values()];
}

function patternsIn(value: unknown, where: string): Pattern[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'pattern' && typeof member === 'string'
      ? [{ where, source: member, flags: 'u' }]
      : patternsIn(member, where.length > 120 ? where : `${where}.${name}`),
  );
}

const ENDS = ['', '!', '\u0000', '\n', ' ', 'a', '0', '.', '-', '"', '\ud83e'];
const COMMON = [...words`a A 0 . - _ / \ % " ' ( [ { < = & , : ; @ * +`, ' ', '\t', '$', '\r\n'];
const COMMON_PAIRS = [...words`a. a- a@ a, 0. {{ (( [[ "a" \" %2 a=b; -. /a :// svc_ aA`, 'a ', '${', ', '];

/** Returns texts that repeat what the pattern may repeat, some after a beginning that it accepts, with an end that it may not. */
function hostileTexts({ source }: Pattern): string[] {
  const random = new SeededRandom(1);
  const samples = Array.from({ length: 8 }, () => sample(source, random));
  const characters = [...new Set(samples.join(''))].slice(0, 24);
  const pairs = characters.slice(0, 8).flatMap((one) => characters.slice(0, 8).map((other) => one + other));
  const pumps = [
    ...new Set([...COMMON, ...COMMON_PAIRS, ...characters, ...pairs, ...samples.filter((text) => text.length < 80)]),
  ];
  const beginnings = ['', ...new Set(samples.slice(0, 2).flatMap((text) => [text, text.slice(0, Math.ceil(text.length / 2))]))];
  return pumps
    .filter((pump) => pump !== '')
    .flatMap((pump, at) => {
      const whole = pump.repeat(Math.ceil(LENGTH / pump.length)).slice(0, LENGTH);
      const beginning = beginnings[at % beginnings.length] ?? '';
      return [`${whole}${ENDS[at % ENDS.length] ?? ''}`, `${beginning}${whole}!`];
    });
}

function sample(source: string, random: SeededRandom): string {
  try {
    return textFor(source, random);
  } catch {
    return '';
  }
}

/** The context in which a search runs, because only a script in a context can be stopped after a time limit. */
const context = createContext({ pattern: /x/, text: '' });
const search = new Script('pattern.lastIndex = 0; pattern.global ? text.replace(pattern, "") : pattern.exec(text)');

function timeOf(pattern: RegExp, text: string): number {
  Object.assign(context, { pattern, text });
  const begun = performance.now();
  try {
    search.runInContext(context, { timeout: GIVE_UP_MS });
  } catch {
    return GIVE_UP_MS;
  }
  return performance.now() - begun;
}

function bestOf(tries: number, pattern: RegExp, text: string): number {
  let best = timeOf(pattern, text);
  for (let count = 1; count < tries && best > MAX_MS && best < GIVE_UP_MS; count += 1)
    best = Math.min(best, timeOf(pattern, text));
  return best;
}

const SETS = { 'in the code': literalsInCode(), 'in the catalogue': patternsOfCatalogue(), 'of the routes': patternsOfRoutes() };

describe('a pattern (DOS-02)', function () {
  this.timeout(60_000);

  for (const [set, patterns] of Object.entries(SETS)) {
    it(`${set} takes no more than ${MAX_MS} ms for any text of ${LENGTH} characters: ${patterns.length} of them`, () => {
      expect(patterns).not.to.have.length(0);
      const slow = patterns.flatMap((pattern) => {
        const compiled = new RegExp(pattern.source, pattern.flags);
        const found = hostileTexts(pattern).find((text) => bestOf(TRIES, compiled, text) > MAX_MS);
        return found === undefined ? [] : [`${pattern.where} /${pattern.source}/ for ${describeText(found)}`];
      });
      expect(slow).to.deep.equal([]);
    });
  }

  it('that is created at run time contains nothing that a caller wrote', () => {
    const made = globSync('{core,plugins}/**/*.ts', { cwd: projectFolder })
      .filter((path) => !path.endsWith('.test.ts'))
      .filter((path) => /\b(?:new )?RegExp\(/.test(readFileSync(projectFolder + path, 'utf8')))
      .map((path) => path.replaceAll('\\', '/'));
    expect(made.sort()).to.deep.equal(MADE_AT_RUN_TIME);
  });

  it('that runs forever is found by this test', () => {
    const texts = hostileTexts({ where: '', source: '^(a+)+$', flags: '' });
    expect(texts.some((text) => timeOf(/^(a+)+$/, text) > MAX_MS)).to.equal(true);
  });
});

/** The only files that create patterns at run time, all from texts in the project or from a checked definition. */
const MADE_AT_RUN_TIME = [
  'core/cli/rehearsal/api-responses.ts',
  'core/cli/rehearsal/fault-place.ts',
  'core/cli/rehearsal/hostile-values.ts',
  'core/contract/compile-pattern.ts',
  'core/contract/pattern-paths.ts',
  'core/kit/read-xml.ts',
];

function describeText(text: string): string {
  return `${JSON.stringify(text.slice(0, 30))}…${JSON.stringify(text.slice(-5))}`;
}
