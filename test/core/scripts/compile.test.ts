import { expect } from 'chai';
import { compile } from '../../../core/scripts/compile.ts';
import type { Language, ScriptEvent } from '../../../core/scripts/event.ts';
import { faultText, SourceError } from '../../../core/scripts/source-fault.ts';

const BUNDLE = 'svc scripts deploy';
const EMPTY = 'export default async () => {};';

function compiled(source: string, event: ScriptEvent = 'post-connection-creation', language: Language = 'typescript') {
  return compile({ event, language, source });
}

function faultsOf(source: string, event?: ScriptEvent, language?: Language): readonly string[] {
  try {
    compiled(source, event, language);
  } catch (error) {
    if (error instanceof SourceError) return error.faults.map((fault) => `${fault.code}: ${faultText(fault)}`);
    throw error;
  }
  return [];
}

describe('a script', () => {
  const accepted: Readonly<Record<string, string>> = {
    'a function': 'export default function (svc) { return svc.connectionId; }',
    'an asynchronous function with a name': 'export default async function main(svc) { await svc.getMetadata(); }',
    'an arrow function': 'export default async (svc) => svc.log("a");',
    'a function declared before': 'async function main() {}\nexport default main;',
    'a constant': 'const main = async () => {};\nexport { main as default };',
    'what a call returns': 'const wrap = (f) => f;\nexport default wrap(async () => {});',
    'a function under a name in quotes': 'function main() {}\nexport { main as "default" };',
    'a bundle with its own require': `
      var __commonJS = (cb, mod) => function __require() {
        return mod || (0, cb)((mod = { exports: {} }).exports, mod), mod.exports;
      };
      var require_lib = __commonJS((exports, module) => { module.exports = () => 1; exports.a = 2; });
      var helper = (function (require) { return require("x"); });
      export default async () => require_lib();`,
    'one with asynchronous functions':
      'export default async () => { await 1; for await (const x of []) x; const f = async () => await 2; };',
    'modern syntax':
      'class A { #a = 1; static { this.b = 2n ** 64n; } get a() { return this.#a ?? 0; } }\nexport default () => new A()?.a;',
    'an empty hash-bang and a byte order mark': `\ufeff${EMPTY}`,
    'other exports beside it': 'export const a = 1; export function b() {} export default () => a;',
  };
  for (const [what, source] of Object.entries(accepted)) {
    for (const language of ['javascript', 'typescript'] as const)
      it(`in ${language} may be ${what}`, () => expect(faultsOf(source, 'validate-connection', language)).to.deep.equal([]));
  }

  it('keeps its lines and columns when its types are left out', () => {
    const source = `import type { Svc } from 'svc';
interface A { readonly a: number }
export default async function main(svc: Svc, a?: A): Promise<void> {
  const b = (a as A)!.a satisfies number;
  type C = 'x' | 'y';
  return svc.log<string>('b', { b });
}
`;
    const { code } = compiled(source);
    expect(code.split('\n').map((line) => line.length)).to.deep.equal(source.split('\n').map((line) => line.length));
    for (const kept of ['export default', 'const b', 'return'])
      expect(code.split('\n').map((line) => line.indexOf(kept))).to.deep.equal(
        source.split('\n').map((line) => line.indexOf(kept)),
      );
    for (const gone of ['interface', 'Promise', 'satisfies', 'import', '<string>']) expect(code).not.to.contain(gone);
  });

  it('in JavaScript is run as it is', () => {
    const source = 'export default () => /* a: b */ 1 < 2;\r\n';
    expect(compiled(source, 'validate-connection', 'javascript').code).to.equal(source);
  });

  it('may have 256 KB, and no byte more', () => {
    const filled = (bytes: number) => `${EMPTY}//${'é'.repeat((bytes - EMPTY.length - 2) / 2)}`;
    expect(faultsOf(filled(256 * 1024))).to.deep.equal([]);
    const [fault = ''] = faultsOf(filled(256 * 1024 + 2));
    expect(fault).to.match(/^source_too_large: it has 262146 bytes.* 256 KB/);
  });
});

describe('a syntax error is reported with line and column', () => {
  const javascript: Readonly<Record<string, readonly [source: string, place: string, text?: string]>> = {
    'a missing value': ['export default () => {\n  const a = ;\n};', 'line 2, column 13', 'Unexpected token'],
    'a missing closing brace': ['export default () => {\n  if (a) {\n}', 'line 3, column 2'],
    'an unterminated string': ['const a = "b\n";', 'line 1, column 11', 'Unterminated string'],
    'an unterminated template': ['\nconst a = `b', 'line 2, column 12', 'Unterminated template'],
    'an unterminated comment': ['\n\n  /* a', 'line 3, column 3', 'Unterminated comment'],
    'a name declared twice': ['let a;\nlet b, a;', 'line 2, column 8', 'already been declared'],
    'an unterminated regular expression': ['const a = /(/;', 'line 1, column 12', 'Invalid regular expression'],
    'await in a function that is not async': ['export default () => {\n  await a();\n};', 'line 2, column 3'],
    'strict mode': ['export default () => { with (a) {} };', 'line 1, column 24', 'strict'],
    'types in JavaScript': ['export default (a: string) => a;', 'line 1, column 18'],
    'a return outside': ['return 1;', 'line 1, column 1', 'return'],
    'an export of an undeclared name': ['export { a };', 'line 1, column 10', "'a' is not defined"],
    'two defaults': ['export default 1;\nexport default 2;', 'line 2, column 8', 'Duplicate export'],
    'windows line ends': ['let a;\r\nlet a;', 'line 2, column 5'],
    markup: ['export default () => <div/>;', 'line 1, column 22'],
    'a NUL': ['const a = \0;', 'line 1, column 11'],
  };
  for (const [what, [source, place, text = '']] of Object.entries(javascript)) {
    it(`in JavaScript: ${what}`, () => {
      const [fault = '', ...more] = faultsOf(source, 'validate-connection', 'javascript');
      expect(more).to.deep.equal([]);
      expect(fault).to.match(/^syntax_error: line/);
      expect(fault).to.contain(`${place}: `).and.contain(text);
    });
  }

  const typescript: Readonly<Record<string, readonly [source: string, place: string, text?: string]>> = {
    'a missing value': ['export default (a: string) => {\n  const b: number = ;\n};', 'line 2, column 21', 'Expression expected'],
    'a missing type': ['const a: = 3;', 'line 1, column 10', 'Unexpected token'],
    'after empty lines': ['\n\n\nconst a: = 3;', 'line 4, column 10'],
    'after tabs': ['\tif (a) {\n\t\tconst a: = 3; }', 'line 2, column 12'],
    'after wide characters': ['const 漢 = "漢字"; const x: = 3;', 'line 1, column 26'],
    'after an emoji': ['const a = "😀"; const x: = 3;', 'line 1, column 26'],
    'after combining characters': ['const a = "e\u0301e\u0301"; const x: = 3;', 'line 1, column 28'],
    'windows line ends': ['let a: string;\r\nconst b: = 1;', 'line 2, column 10'],
    'a missing closing brace': ['export default () => {\n  if (a) {\n', 'line 2, column 11', '<eof>'],
    'an unterminated string': ['let a: string = "b\n";', 'line 1, column 17', 'Unterminated string'],
    'an unterminated template': ['let a = 1;\n  let b = `c', 'line 2, column 11', 'Unterminated template'],
    'what only JavaScript refuses': ['export { a };', 'line 1, column 10', "'a' is not defined"],
    markup: ['const a = <div>hi</div>;', 'line 1, column 19'],
  };
  for (const [what, [source, place, text = '']] of Object.entries(typescript)) {
    it(`in TypeScript: ${what}`, () => {
      const [fault = '', ...more] = faultsOf(source);
      expect(more).to.deep.equal([]);
      expect(fault).to.match(/^syntax_error: line/);
      expect(fault).to.contain(`${place}: `).and.contain(text);
    });
  }

  const unsupported: Readonly<Record<string, readonly [source: string, place: string, advice: string]>> = {
    'an enum': ['\n  enum A { b }', 'line 2, column 3', 'as const'],
    'a constant enum': ['const enum A { b }', 'line 1, column 1', 'as const'],
    'a namespace': ['namespace A { export const b = 1; }', 'line 1, column 1', 'namespaces are not supported'],
    'a parameter property': ['class A { constructor(private a: string) {} }', 'line 1, column 31', 'declare the field'],
    'an assertion in angle brackets': ['const a = <string>b;', 'line 1, column 11', 'as Type'],
    'an import by require': ["import a = require('a');", 'line 1, column 1', 'ES modules'],
    'an export assignment': ['const a = 1;\nexport = a;', 'line 2, column 1', 'export default'],
    'a decorator': ['@a class A {}', 'line 1, column 1', 'decorators'],
  };
  for (const [what, [source, place, advice]] of Object.entries(unsupported)) {
    it(`in TypeScript: ${what}, with advice on what to write instead`, () => {
      const [fault = '', ...more] = faultsOf(source);
      expect(more).to.deep.equal([]);
      expect(fault).to.match(/^unsupported_syntax: line/);
      expect(fault).to.contain(`${place}: `).and.contain(advice);
    });
  }
});

describe('a script stands alone', () => {
  const refused: Readonly<Record<string, readonly [source: string, place: string]>> = {
    'an import': ["import a from 'a';", 'line 1, column 1'],
    'an import of names': ["\nimport { a } from './a.ts';", 'line 2, column 1'],
    'an import without names': ["import 'a';", 'line 1, column 1'],
    'an import of everything': ["import * as fs from 'node:fs';", 'line 1, column 1'],
    'a dynamic import': ["export default async () => (await import('a')).b;", 'line 1, column 35'],
    'an import of a computed name': ['export default (a) => import(a);', 'line 1, column 23'],
    'an export from another file': ["export { a } from 'a';", 'line 1, column 1'],
    'an export of all of another file': ["export * from 'a';", 'line 1, column 1'],
    'an export of another file as one name': ["export * as a from 'a';", 'line 1, column 1'],
    require: ["const a = require('a');", 'line 1, column 11'],
    'module.exports': ['module.exports = () => {};', 'line 1, column 1'],
    'a member of module.exports': ['module.exports.a = 1;', 'line 1, column 1'],
    'a member of exports': ['exports.a = 1;', 'line 1, column 1'],
  };
  for (const [what, [source, place]] of Object.entries(refused)) {
    it(`so ${what} is refused with a hint at the command that bundles`, () => {
      for (const language of ['javascript', 'typescript'] as const) {
        const [fault = ''] = faultsOf(`${source}\n`, 'validate-connection', language);
        expect(fault)
          .to.match(/^import_refused: /)
          .and.contain(`${place}: `)
          .and.contain(BUNDLE);
      }
    });
  }

  it('so all its imports are reported, up to twenty', () => {
    const imports = (count: number) => Array.from({ length: count }, (_, index) => `import a${index} from 'a';`).join('\n');
    expect(faultsOf(imports(3))).to.have.length(3);
    expect(faultsOf(imports(300))).to.have.length(20);
  });

  it('but may import types, which are gone when it runs', () => {
    expect(faultsOf(`import type { Svc } from './script.d.ts';\n${EMPTY}`)).to.deep.equal([]);
  });

  for (const source of ['await 1;', 'const a = [await 2];', 'for await (const a of []) a;', 'if (1) { await using a = null; }']) {
    it(`and does not await at its top level: ${source}`, () => {
      const [fault = ''] = faultsOf(`${EMPTY}\n${source}`, 'validate-connection', 'javascript');
      expect(fault).to.match(/^unsupported_syntax: line 2, column \d+: `await` is used outside/);
    });
  }
});

describe('a script exports what its event calls', () => {
  const events = ['post-connection-creation', 'pre-connection-deletion', 'validate-connection'] as const;
  for (const event of events) {
    it(`${event}: a default function`, () => {
      expect(faultsOf(EMPTY, event)).to.deep.equal([]);
      const [missing = ''] = faultsOf('export const onWebhook = () => {};', event);
      expect(missing)
        .to.match(/^export_missing: it exports no `default`/)
        .and.contain(event);
    });
  }

  const noFunctions: Readonly<Record<string, string>> = {
    'a number': 'export default 1;',
    'an object': 'export default { run() {} };',
    'a class': 'export default class {}',
    'a generator': 'export default function* () {}',
    'a constant that is no function': 'const a = "b";\nexport { a as default };',
  };
  for (const [what, source] of Object.entries(noFunctions)) {
    it(`and not ${what}`, () =>
      expect(faultsOf(source)[0]).to.match(/^export_invalid: line \d, column \d+: its `default` is no/));
  }

  it('and is refused without any export', () => {
    for (const source of ['', '\n', '// nothing', 'const a = 1;']) expect(faultsOf(source)[0]).to.match(/^export_missing/);
  });
});

describe('a webhook script', () => {
  const HANDLER = 'export async function onWebhook(svc, event) {}\n';
  const subscriptionsOf = (source: string) => compiled(HANDLER + source, 'on-webhook').webhookSubscriptions;
  const faultOf = (source: string) => faultsOf(source, 'on-webhook').join('\n');

  const read: Readonly<Record<string, readonly string[]>> = {
    'export const webhookSubscriptions = [\'a\', "b.c"];': ['a', 'b.c'],
    "export const webhookSubscriptions = ['*'];": ['*'],
    'export const webhookSubscriptions = [];': [],
    "export const webhookSubscriptions: readonly string[] = ['a'] as const;": ['a'],
    "export const webhookSubscriptions = ['a'] satisfies string[];": ['a'],
    "const types = ['a', 'b'];\nexport { types as webhookSubscriptions };": ['a', 'b'],
    'export let webhookSubscriptions = [`a`];': ['a'],
    "export const webhookSubscriptions = ['BOOKING_CREATED', 'jira:issue_updated', '\\u00fc'];": [
      'BOOKING_CREATED',
      'jira:issue_updated',
      'ü',
    ],
  };
  for (const [source, types] of Object.entries(read)) {
    it(`declares the webhook types that it runs for: ${source}`, () => expect(subscriptionsOf(source)).to.deep.equal(types));
  }

  const unread = [
    "const a = 'a';\nexport const webhookSubscriptions = [a];",
    "const a = ['a'];\nexport const webhookSubscriptions = a;",
    "export const webhookSubscriptions = ['a'].concat('b');",
    "export const webhookSubscriptions = [...'ab'];",
    'export const webhookSubscriptions = [`a${1}`];',
    'export const webhookSubscriptions = ["a", 1];',
    'export const webhookSubscriptions = ["a", , "b"];',
    "export const webhookSubscriptions = '*';",
    'export function webhookSubscriptions() {}',
    'export let webhookSubscriptions; webhookSubscriptions = ["a"];',
    "export const { webhookSubscriptions } = { webhookSubscriptions: ['a'] };",
  ];
  for (const source of unread) {
    it(`must declare its types as a literal array, not as ${source}`, () => {
      expect(faultOf(HANDLER + source)).to.match(/^export_invalid: .*must be a literal array of strings/);
    });
  }

  it('has all its missing exports reported at once', () => {
    expect(faultOf(EMPTY)).to.match(/no `onWebhook`.*\n.*no `webhookSubscriptions`/);
    expect(faultOf(HANDLER)).to.match(/^export_missing: it exports no `webhookSubscriptions`/);
    expect(faultOf("export const webhookSubscriptions = ['a'];")).to.match(/^export_missing: it exports no `onWebhook`/);
    expect(faultOf("export const onWebhook = 1, webhookSubscriptions = ['a'];")).to.match(/^export_invalid: .*`onWebhook` is no/);
  });

  it('names at most 100 types, of 1 to 255 characters', () => {
    const named = (types: readonly string[]) => `export const webhookSubscriptions = ${JSON.stringify(types)};`;
    expect(subscriptionsOf(named(Array(100).fill('a'.repeat(255))))).to.have.length(100);
    for (const types of [Array(101).fill('a'), [''], ['a'.repeat(256)], ['a\n']])
      expect(faultOf(HANDLER + named(types))).to.match(/^export_invalid: .*at most 100/);
  });
});
