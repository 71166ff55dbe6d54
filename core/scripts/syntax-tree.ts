import { type AnyNode, type Node, type Program, parse } from 'acorn';
import { SourceError, type SourceFault, type SourcePosition, TOO_DEEP } from './source-fault.ts';

/** Matches the position at the end of acorn's messages. */
const PLACE = / \(\d+:\d+\)$/;

/** Parses an ES module. @throws SourceError for a syntax error */
export function parseModule(code: string): Program {
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  } catch (error) {
    if (error instanceof SyntaxError && 'loc' in error) {
      const { line, column } = error.loc as { readonly line: number; readonly column: number };
      throw new SourceError({ ...described(error, code), at: { line, column: column + 1 } });
    }
    throw new SourceError(TOO_DEEP);
  }
}

function described(error: SyntaxError, code: string): Pick<SourceFault, 'code' | 'message'> {
  if (error.message.startsWith('Not enough stack space')) return TOO_DEEP;
  if ('pos' in error && code[Number(error.pos)] === '@')
    return { code: 'unsupported_syntax', message: 'decorators are not supported' };
  return { code: 'syntax_error', message: error.message.replace(PLACE, '') };
}

interface NodeVisit {
  readonly node: AnyNode;
  /** The number of functions that the node is nested in. */
  readonly depth: number;
}

/** Yields every node, each before the nodes in it. Implemented as a loop, since trees may be deep. */
export function* walk(program: Program): Generator<NodeVisit> {
  const waiting: NodeVisit[] = [{ node: program, depth: 0 }];
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    yield visit;
    const depth = visit.depth + (isFunction(visit.node) ? 1 : 0);
    for (const child of childrenOf(visit.node).toReversed()) waiting.push({ node: child, depth });
  }
}

export function positionOf({ loc }: Node): SourcePosition {
  return { line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
}

export function isFunction(node: Node): boolean {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;
}
