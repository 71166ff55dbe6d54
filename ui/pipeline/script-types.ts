import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Plugin } from 'vite';
import type { DeclaredMember } from '../../scripts-runtime/script.d.ts?members';
import { PROJECT } from './sources.ts';

const DECLARATIONS = join(PROJECT, 'scripts-runtime/script.d.ts');
const QUERY = '?members';

/** Lets pages import what `script.d.ts` declares, as `../script-types.d.ts` describes it. */
export function scriptTypes(): Plugin {
  return {
    name: 'script-types',
    load: (id) => (id === DECLARATIONS + QUERY ? `export default ${JSON.stringify(readScriptTypes())};` : null),
  };
}

/** Returns the members of each type that `script.d.ts` declares, in its order. */
export function readScriptTypes(): Readonly<Record<string, readonly DeclaredMember[]>> {
  const source = ts.createSourceFile(DECLARATIONS, readFileSync(DECLARATIONS, 'utf8'), ts.ScriptTarget.ES2024, true);
  const interfaces = source.statements.filter(ts.isInterfaceDeclaration);
  const types: Record<string, readonly DeclaredMember[]> = {};
  const names = interfaces.map(({ name }) => name.text);
  for (const { name, members } of interfaces) types[name.text] = members.map((member) => read(member, name.text));
  return types;

  function read(member: ts.TypeElement, owner: string): DeclaredMember {
    const name = ts.isConstructSignatureDeclaration(member) ? 'new' : (member.name?.getText() ?? '');
    const isMethod = ts.isMethodSignature(member) || ts.isConstructSignatureDeclaration(member);
    const place = `${owner}.${name}`;
    return {
      name,
      code: codeOf(member),
      text: textOf(member),
      isMethod,
      takes: isMethod ? member.parameters.flatMap(({ type }) => named(type, place)) : [],
      gives: isMethod || ts.isPropertySignature(member) ? named(member.type, place) : [],
    };
  }

  /** Returns the names of the declared types that a type is made of. One without a name is added under the given name. */
  function named(type: ts.TypeNode | undefined, place: string): string[] {
    if (type === undefined || ts.isArrayTypeNode(type)) return [];
    if (ts.isTypeLiteralNode(type)) {
      types[place] = type.members.map((member) => read(member, place));
      return [place];
    }
    if (ts.isIntersectionTypeNode(type)) return type.types.flatMap((one) => named(one, place));
    if (!ts.isTypeReferenceNode(type)) return [];
    const name = type.typeName.getText();
    if (name === 'Promise') return (type.typeArguments ?? []).flatMap((one) => named(one, place));
    return names.includes(name) ? [name] : [];
  }
}

/** Returns a declaration in one line, without its comments and the comments within it. */
function codeOf(member: ts.TypeElement): string {
  const printed = ts.createPrinter({ removeComments: true }).printNode(ts.EmitHint.Unspecified, member, member.getSourceFile());
  return printed
    .replaceAll(/\breadonly /g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('; }', ' }')
    .replace(/;$/, '');
}

function textOf(member: ts.TypeElement): string {
  const texts = ts.getJSDocCommentsAndTags(member).flatMap((comment) => {
    const tags = ts.isJSDoc(comment) ? (comment.tags ?? []) : [];
    return [ts.getTextOfJSDocComment(comment.comment) ?? '', ...[...tags].filter(ts.isJSDocThrowsTag).map(thrownText)];
  });
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

function thrownText({ typeExpression, comment }: ts.JSDocThrowsTag): string {
  return `Throws \`${typeExpression?.type.getText()}\` ${ts.getTextOfJSDocComment(comment)}.`;
}
