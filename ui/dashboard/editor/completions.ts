import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { SyntaxNode } from '@lezer/common';
import type { DeclaredMember } from '../../../scripts-runtime/script.d.ts?members';
import { type ScriptTypes, TypeFinder } from './type-finder.ts';

/** The nodes between an object and one of its keys, which may be incomplete. */
const IN_OBJECT = ['PropertyDefinition', 'PropertyName', 'VariableDefinition', 'Property', 'PatternProperty', ',', '{', '⚠'];
const OBJECTS = ['ObjectExpression', 'ObjectPattern'];
const NAME = /(?<![\w$])[\w$]*$/;

/** Offers the members of whatever is known to be `svc`, an event, or what they give, by the declarations of the types. */
export function scriptCompletions(types: ScriptTypes): CompletionSource {
  return (context) => {
    const { from } = context.matchBefore(NAME) ?? { from: context.pos };
    const members = offeredAt(context, from, types);
    if (members.length === 0) return null;
    return { from, options: members.map(optionOf), validFor: /^[\w$]*$/ } satisfies CompletionResult;
  };
}

function optionOf({ name, code, text, isMethod }: DeclaredMember): Completion {
  // The list shows plain text, in which the marks of code would only be in the way.
  const info = text.replaceAll('`', '');
  return { label: name, detail: code.slice(name.length), type: isMethod ? 'method' : 'property', ...(info && { info }) };
}

/** @param from where the typed name begins */
function offeredAt({ state, pos, explicit }: CompletionContext, from: number, types: ScriptTypes): readonly DeclaredMember[] {
  const node = syntaxTree(state).resolveInner(pos, -1);
  const finder = new TypeFinder(state, types);
  const membersOf = (names: readonly string[]) => names.flatMap((name) => types[name] ?? []).filter(({ name }) => name !== 'new');

  const before = state.sliceDoc(0, from).trimEnd().at(-1);
  if (before === '.') {
    const member = node.name === 'MemberExpression' ? node : node.parent;
    return member?.name === 'MemberExpression' && member.firstChild ? membersOf(finder.typesOf(member.firstChild)) : [];
  }
  // Within braces, a list that nobody asked for appears only once a name is begun.
  if (before !== '{' && before !== ',') return [];
  if (!explicit && from === pos) return [];
  const object = enclosingObject(node);
  if (object === undefined) return [];
  const present = keysOf(object, from).map((key) => state.sliceDoc(key.from, key.to));
  const names = object.name === 'ObjectPattern' ? finder.declaredTypes(object) : finder.taken(object);
  return membersOf(names).filter(({ name }) => !present.includes(name));
}

/** Returns the object or the pattern of which a key is typed at a node. */
function enclosingObject(node: SyntaxNode): SyntaxNode | undefined {
  let at: SyntaxNode | null = node;
  while (at !== null && IN_OBJECT.includes(at.name)) at = at.parent;
  return at !== null && OBJECTS.includes(at.name) ? at : undefined;
}

/** Returns the keys of an object or a pattern, without the one that is being typed. */
function keysOf(object: SyntaxNode, typed: number): SyntaxNode[] {
  return [...object.getChildren('Property'), ...object.getChildren('PatternProperty')]
    .map(({ firstChild }) => firstChild)
    .filter((key): key is SyntaxNode => key !== null && key.from !== typed);
}
