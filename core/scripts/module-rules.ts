import type { AnyNode, Program } from 'acorn';
import type { SourceFault } from './source-fault.ts';
import { positionOf, walk } from './syntax-tree.ts';

const BUNDLED = '`svc scripts deploy` puts what a script imports into one file';
const MAX_FAULTS = 20;

/** JavaScript that scripts must not use: imports, CommonJS, top-level `await`. */
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
      return refusedImport('it imports while it runs');
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
    ? refusedImport('it exports as CommonJS does; write `export default …`, or keep the module apart and import it')
    : undefined;
}

function waitingFault(node: AnyNode): Broken | undefined {
  const waits =
    node.type === 'AwaitExpression' ||
    (node.type === 'ForOfStatement' && node.await) ||
    (node.type === 'VariableDeclaration' && node.kind === 'await using');
  if (!waits) return undefined;
  return { code: 'unsupported_syntax', message: '`await` stands outside of a function; put it into the one that is called' };
}

function refusedImport(what: string): Broken {
  return { code: 'import_refused', message: `${what}; a script stands alone: ${BUNDLED}` };
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

/** Of functions, parameters and variables; enough to recognize a bundle's helpers. */
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
