import type { AnyNode, Identifier, Literal, Program } from 'acorn';
import { isFunction } from './syntax-tree.ts';

/** The exports of a module by name, as far as they are known statically: the function, or the initial value of a constant. */
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

/** Whether it may be callable; true if that is only known at run time. */
export function mayBeCalled(node: AnyNode | undefined): boolean {
  if (node === undefined) return true;
  if (isFunction(node)) return !('generator' in node && node.generator);
  return !/^(?:Literal|TemplateLiteral|ObjectExpression|ArrayExpression|Class(?:Declaration|Expression))$/.test(node.type);
}

/** The strings of `['a', 'b']`; undefined for anything else. */
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

/** Values of other names and results of calls are not known statically. */
function isKnown(node: AnyNode | undefined): boolean {
  return node !== undefined && (isFunction(node) || !mayBeCalled(node));
}

function textOf(node: Identifier | Literal): string {
  return node.type === 'Identifier' ? node.name : String(node.value);
}
