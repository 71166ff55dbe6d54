import { expect } from 'chai';
import ts from 'typescript';
import { descendants, lineOf, parseSource, type SourceFile, sourceFiles } from '../support/source-files.ts';
import { words } from '../support/words.ts';

/** The only files that may open sockets: the outbound guard, and the server that listens. */
const DOORS = /^core\/(kit\/(outbound[^/]*|address-guard|guarded-connect)|server\/server)\.ts$/;
const SOCKET_MODULES = /^((node:)?(http|https|http2|net|tls|dns|dgram)(\/.*)?|undici)$/;
const HARMLESS = new Set(words`
  isIP isIPv4 isIPv6 BlockList SocketAddress STATUS_CODES METHODS validateHeaderName validateHeaderValue
`);
const NETWORK_GLOBALS = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']);

describe('sockets', () => {
  it('are opened by the outbound guard and the server alone', () => {
    const guarded = sourceFiles(['core', 'scripts-runtime', 'migrations', 'plugins']).filter(
      ({ path }) => !DOORS.test(path) && !path.endsWith('.test.ts'),
    );
    const found = guarded.flatMap(waysToTheNetwork);
    expect(found, found.join('\n')).to.deep.equal([]);
  });

  const plants = [
    ["import { request } from 'undici';", true],
    ["import { isIP, connect } from 'node:net';", true],
    ["import net from 'net';", true],
    ["import * as http from 'node:http';", true],
    ["import 'node:tls';", true],
    ["export { lookup } from 'node:dns/promises';", true],
    ["await import('node:https');", true],
    ["require('node:dgram');", true],
    ["process.getBuiltinModule('net');", true],
    ['await fetch(a);', true],
    ['await globalThis.fetch(a);', true],
    ['new WebSocket(a);', true],
    ["import type { Dispatcher } from 'undici';", false],
    ["import { type Server, STATUS_CODES } from 'node:http';", false],
    ["import { isIP } from 'node:net';", false],
    ['await ctx.fetch(a);', false],
    ['const a = { fetch(url) {} };', false],
  ] as const;

  for (const [text, isFound] of plants) {
    it(`are ${isFound ? 'found' : 'not found'} in ${text}`, () => {
      expect(waysToTheNetwork(parseSource('core/a.ts', text))).to.deep.equal(
        isFound ? [`core/a.ts:1: ${text.replace(/^await |;$/g, '')}`] : [],
      );
    });
  }
});

function waysToTheNetwork(file: SourceFile): string[] {
  return [...descendants(file.tree)]
    .filter((node) => importsSockets(node) || callsNetwork(node))
    .map((node) => `${file.path}:${lineOf(file, node)}: ${node.getText().replace(/;$/, '')}`);
}

function importsSockets(node: ts.Node): boolean {
  if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return false;
  if (node.moduleSpecifier === undefined || !namesSocketModule(node.moduleSpecifier)) return false;
  if (ts.isExportDeclaration(node)) return !node.isTypeOnly;
  const { importClause } = node;
  return importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword && !importsHarmlessNamesOnly(importClause);
}

function importsHarmlessNamesOnly(clause: ts.ImportClause | undefined): boolean {
  const bindings = clause?.namedBindings;
  if (clause?.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.every(({ isTypeOnly, name, propertyName }) => isTypeOnly || HARMLESS.has((propertyName ?? name).text));
}

/** Returns whether a node calls a global that uses the network, or loads a socket module by its name. */
function callsNetwork(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const callee = node.expression.getText().replace(/^globalThis\./, '');
  const isLoader = /^(import|require|process\.getBuiltinModule)$/.test(callee);
  return NETWORK_GLOBALS.has(callee) || (isLoader && (node.arguments ?? []).some(namesSocketModule));
}

function namesSocketModule(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) && SOCKET_MODULES.test(node.text);
}
