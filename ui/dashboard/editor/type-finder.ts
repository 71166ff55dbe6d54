import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import type { DeclaredMember } from '../../../scripts-runtime/script.d.ts?members';

export type ScriptTypes = Readonly<Record<string, readonly DeclaredMember[]>>;

/** The types of the parameters of the function that a script exports. */
const PARAMETERS = ['Svc', 'WebhookEvent'];
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunction'];
/** The nodes around an expression that leave it what it is, or give what it resolves to. */
const WRAPPERS = ['AwaitExpression', 'ParenthesizedExpression'];

/**
 * Finds types by the syntax of a source, as far as scripts need it: through members, calls, `await`, and variables of one name. It
 * is no type checker: what it does not understand has no types.
 */
export class TypeFinder {
  readonly #state: EditorState;
  readonly #types: ScriptTypes;

  constructor(state: EditorState, types: ScriptTypes) {
    this.#state = state;
    this.#types = types;
  }

  /** Returns the names of the declared types that together describe an expression; empty for anything else. */
  typesOf(expression: SyntaxNode): readonly string[] {
    const { name, firstChild } = expression;
    if (name === 'VariableName') return this.#variableTypes(expression);
    if (name === 'MemberExpression') return this.#member(expression)?.gives ?? [];
    if (name === 'CallExpression') return this.#member(firstChild)?.gives ?? [];
    if (name === 'NewExpression') return this.#constructed(expression)?.gives ?? [];
    const inner = WRAPPERS.includes(name) ? firstChild?.nextSibling : null;
    return inner ? this.typesOf(inner) : [];
  }

  /** Returns the types of an object that is an argument. */
  taken(object: SyntaxNode): readonly string[] {
    const call = object.parent?.name === 'ArgList' ? object.parent.parent : null;
    const called = call?.name === 'NewExpression' ? this.#constructed(call) : this.#member(call?.firstChild);
    return called?.takes ?? [];
  }

  /** Returns the types of what a declared variable, or a pattern in its place, has as its value. */
  declaredTypes(declared: SyntaxNode): readonly string[] {
    if (declared.parent?.name === 'ParamList') return this.#parameterTypes(declared);
    if (declared.parent?.name !== 'VariableDeclaration') return [];
    const value = declared.nextSibling?.name === 'Equals' ? declared.nextSibling.nextSibling : null;
    return value ? this.typesOf(value) : [];
  }

  /** Finds the member that an expression such as `svc.get` names. */
  #member(expression: SyntaxNode | null | undefined): DeclaredMember | undefined {
    const property = expression?.name === 'MemberExpression' ? expression.getChild('PropertyName') : null;
    return property && expression?.firstChild ? this.#memberOf(expression.firstChild, this.#text(property)) : undefined;
  }

  #constructed(expression: SyntaxNode): DeclaredMember | undefined {
    const callee = expression.firstChild?.nextSibling;
    return callee ? this.#memberOf(callee, 'new') : undefined;
  }

  #memberOf(object: SyntaxNode, name: string): DeclaredMember | undefined {
    const members = this.typesOf(object).flatMap((type) => this.#types[type] ?? []);
    return members.find((one) => one.name === name);
  }

  /** Returns the types of a parameter: those of its annotation, or by its position in the exported function. */
  #parameterTypes(parameter: SyntaxNode): readonly string[] {
    const annotation = parameter.nextSibling?.name === 'TypeAnnotation' ? parameter.nextSibling.getChild('TypeName') : null;
    const list = parameter.parent;
    const type = annotation ? this.#text(annotation) : list?.parent && isExported(list.parent) && typeByPosition(list, parameter);
    return type && Object.hasOwn(this.#types, type) ? [type] : [];
  }

  /** Finds the nearest declaration that ends before the use of a name; one around it would lead back here. */
  #variableTypes(variable: SyntaxNode): readonly string[] {
    const wanted = this.#text(variable);
    let nearest: SyntaxNode | undefined;
    syntaxTree(this.#state).iterate({
      to: variable.from,
      enter: ({ name, node }) => {
        const isBefore = name === 'VariableDefinition' && node.parent !== null && node.parent.to <= variable.from;
        if (isBefore && this.#text(node) === wanted) nearest = node;
      },
    });
    return nearest === undefined ? [] : this.declaredTypes(nearest);
  }

  #text({ from, to }: SyntaxNode): string {
    return this.#state.sliceDoc(from, to);
  }
}

function typeByPosition(list: SyntaxNode, parameter: SyntaxNode): string | undefined {
  const parameters = [...list.getChildren('VariableDefinition'), ...list.getChildren('ObjectPattern')];
  return PARAMETERS[parameters.filter(({ from }) => from < parameter.from).length];
}

/** Tells whether a function is what a script exports, and not one within it. */
function isExported(node: SyntaxNode): boolean {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (FUNCTIONS.includes(at.name)) return false;
    if (at.name === 'ExportDeclaration') return true;
  }
  return false;
}
