import type { AnyNode, Identifier, Literal, Program } from 'acorn';
import type { SourceFault } from './source-fault.ts';
import { isFunction, positionOf, walk } from './syntax-tree.ts';

const BUNDLED = '`svc scripts deploy` puts what a script imports into one file';
const MAX_FAULTS = 20;

/** Finds JavaScript that scripts must not use: imports, CommonJS, top-level `await`. */
export function brokenRules(program: Program): readonly SourceFault[] {
  const visits = [...walk(program)];
  const own = new Set(visits.flatMap(({ node }) => declaredNames(node)));
  const faults: SourceFault[] = [];
  for (const { node, depth } of visits) {
    const fault = importFault(node) ?? commonJsFault(node, own) ?? (depth === 0 ? waitingFault(node) : undefined);
    if (fault !== undefined) faults.push({ ...fault, at: positionOf(node) });
    if (faults.length === MAX_FAULTS) break;
  }
  return faults;
}

type Broken = Pick<SourceFault, 'code' | 'message'>;

function importFault(node: AnyNode): Broken | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return refusedImport(`it imports ${quoted(node.source.value)} (\`import type\` is fine)`);
    case 'ImportExpression':
      return refusedImport('it imports dynamically');
    case 'ExportAllDeclaration':
      return refusedImport(`it exports from ${quoted(node.source.value)}`);
    case 'ExportNamedDeclaration':
      return node.source ? refusedImport(`it exports from ${quoted(node.source.value)}`) : undefined;
    default:
      return undefined;
  }
}

/** @param own names that the source declares itself, such as a bundle's own `require` */
function commonJsFault(node: AnyNode, own: ReadonlySet<string>): Broken | undefined {
  if (node.type === 'CallExpression' && isOuter(node.callee, 'require', own))
    return refusedImport('it calls `require`, which is CommonJS');
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return undefined;
  const { object } = node.left;
  return isModuleExports(node.left, own) || isModuleExports(object, own) || isOuter(object, 'exports', own)
    ? refusedImport(
        'it exports as CommonJS does; write `export default …`, or move the module into a file of its own and import it',
      )
    : undefined;
}

function waitingFault(node: AnyNode): Broken | undefined {
  const waits =
    node.type === 'AwaitExpression' ||
    (node.type === 'ForOfStatement' && node.await) ||
    (node.type === 'VariableDeclaration' && node.kind === 'await using');
  if (!waits) return undefined;
  return { code: 'unsupported_syntax', message: '`await` is used outside a function; move it into the exported function' };
}

function refusedImport(what: string): Broken {
  return { code: 'import_refused', message: `${what}; a script must be a single file: ${BUNDLED}` };
}

function isModuleExports(node: AnyNode, own: ReadonlySet<string>): boolean {
  return node.type === 'MemberExpression' && isOuter(node.object, 'module', own) && isNamed(node.property, 'exports');
}

function isOuter(node: AnyNode, name: string, own: ReadonlySet<string>): boolean {
  return isNamed(node, name) && !own.has(name);
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

/** Returns the declared names of functions, parameters and variables; enough to recognize a bundle's helpers. */
function declaredNames(node: AnyNode): string[] {
  if (node.type === 'VariableDeclarator') return nameOf(node.id);
  if (node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression')
    return [...node.params.flatMap(nameOf), ...(node.id ? nameOf(node.id) : [])];
  return [];
}

function nameOf(node: AnyNode): string[] {
  return node.type === 'Identifier' ? [node.name] : [];
}

function quoted(name: unknown): string {
  return JSON.stringify(String(name).slice(0, 100));
}

/**
 * Returns the exports of a module by name, as far as they are known statically: the function, or the initial value of a constant.
 */
export function exportsOf(program: Program): ReadonlyMap<string, AnyNode | undefined> {
  const names = topLevelNames(program);
  const resolve = (node: AnyNode) => (node.type === 'Identifier' ? names.get(node.name) : node);
  const exported = new Map<string, AnyNode | undefined>();
  for (const node of program.body) {
    if (node.type === 'ExportDefaultDeclaration') exported.set('default', resolve(node.declaration));
    if (node.type !== 'ExportNamedDeclaration') continue;
    for (const [name, value] of node.declaration ? namesOf(node.declaration) : []) exported.set(name, value);
    for (const { exported: as, local } of node.specifiers) exported.set(textOf(as), names.get(textOf(local)));
  }
  return exported;
}

/** Returns whether the value may be callable; true if that is only known at run time. */
export function mayBeCalled(node: AnyNode | undefined): boolean {
  if (node === undefined) return true;
  if (isFunction(node)) return !('generator' in node && node.generator);
  return !/^(?:Literal|TemplateLiteral|ObjectExpression|ArrayExpression|Class(?:Declaration|Expression))$/.test(node.type);
}

/** Returns the strings of a literal such as `['a', 'b']`; undefined for anything else. */
export function literalTexts(node: AnyNode | undefined): readonly string[] | undefined {
  if (node?.type !== 'ArrayExpression') return undefined;
  const texts = node.elements.map((element) => (element === null ? undefined : literalText(element)));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function literalText(node: AnyNode): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

function topLevelNames(program: Program): ReadonlyMap<string, AnyNode | undefined> {
  return new Map(program.body.flatMap((node) => namesOf(declarationOf(node) ?? node)));
}

function declarationOf(node: AnyNode): AnyNode | null | undefined {
  return node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration' ? node.declaration : undefined;
}

function namesOf(node: AnyNode): [string, AnyNode | undefined][] {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return node.id ? [[node.id.name, node]] : [];
  if (node.type !== 'VariableDeclaration') return [];
  return node.declarations.flatMap(({ id, init }) => patternNames(id, init ?? undefined));
}

function patternNames(id: AnyNode, value: AnyNode | undefined): [string, AnyNode | undefined][] {
  if (id.type === 'Identifier') return [[id.name, isKnown(value) ? value : undefined]];
  if (id.type === 'ObjectPattern')
    return id.properties.flatMap((one) => patternNames(one.type === 'Property' ? one.value : one.argument, undefined));
  if (id.type === 'ArrayPattern') return id.elements.flatMap((one) => (one === null ? [] : patternNames(one, undefined)));
  return id.type === 'AssignmentPattern' ? patternNames(id.left, undefined) : [];
}

/** Returns whether the value is known statically. Values of other names and results of calls are not. */
function isKnown(node: AnyNode | undefined): boolean {
  return node !== undefined && (isFunction(node) || !mayBeCalled(node));
}

function textOf(node: Identifier | Literal): string {
  return node.type === 'Identifier' ? node.name : String(node.value);
}
