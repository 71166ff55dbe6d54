import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { bundle } from '../../core/cli/scripts/bundle.ts';
import { type Folder, makeFolders } from '../support/folders.ts';
import { openScripts } from '../support/script-host.ts';

const BUNDLE = new URL('../../core/cli/scripts/bundle.ts', import.meta.url).href;

const PACKAGES = {
  'node_modules/old-style/package.json': '{"name": "old-style", "version": "1.0.0", "main": "main.js"}',
  'node_modules/old-style/main.js': 'const more = require("./more");\nmodule.exports = { double: (n) => more.add(n, n) };',
  'node_modules/old-style/more.js': 'exports.add = (a, b) => a + b;',
  'node_modules/modern/package.json': '{"name": "modern", "version": "1.0.0", "type": "module", "exports": "./main.mjs"}',
  'node_modules/modern/main.mjs': 'export const name = "modern";\nexport default class Modern {}',
  'node_modules/needs-node/package.json': '{"name": "needs-node", "version": "1.0.0", "main": "main.js"}',
  'node_modules/needs-node/main.js': 'module.exports = require("fs").readFileSync;',
  'node_modules/compiled/package.json': '{"name": "compiled", "version": "1.0.0", "main": "compiled.node"}',
  'node_modules/compiled/compiled.node': '',
  'cal/table.json': '{"a": 1}',
  'cal/own.ts': 'export const shout = (text: string): string => text.toUpperCase();',
  'cal/module.wasm': '',
};

const script = (imports: string, value: string) =>
  `import type { Svc } from '../script.d.ts';\n${imports}\nexport default async (svc: Svc): Promise<unknown> => ${value};\n`;

describe('bundles of scripts', () => {
  let folders: Folder;

  before(async () => {
    folders = await makeFolders({
      ...PACKAGES,
      'cal/good.ts': script(
        `import { double } from 'old-style';\nimport Modern, { name } from 'modern';\nimport { shout } from './own.ts';
         import table from './table.json' with { type: 'json' };`,
        `[double(21), new Modern() instanceof Modern, shout(name), table.a, (await import('./own.ts')).shout('b'),
          process.env.HOME ?? 'nowhere', process.env.NODE_ENV, Object.keys(process.env)]`,
      ),
    });
  });
  after(() => folders[Symbol.asyncDispose]());

  const codeOf = async (path: string): Promise<string> => {
    const made = await bundle(path);
    return 'code' in made ? made.code : expect.fail(made.faults.join('\n'));
  };

  it('hold local files and ES and CommonJS packages, run in the sandbox, and hold nothing of the environment', async () => {
    const code = await codeOf(join(folders.path, 'cal/good.ts'));
    await using scripts = openScripts();
    const { result, error } = await scripts.run(code, { limits: { timeoutMs: 15_000 } });
    expect(error).to.equal(undefined);
    expect(result).to.deep.equal([42, true, 'MODERN', 1, 'B', 'nowhere', 'production', []]);
  });

  it('hold no environment variable, whichever its name and however it is read', async () => {
    const file = join(folders.path, 'cal/asks.ts');
    await cp(join(folders.path, 'cal/good.ts'), file);
    const run = `const { bundle } = await import(${JSON.stringify(BUNDLE)});
      console.log((await bundle(${JSON.stringify(file)})).code);`;
    const secret = 'value-that-stays-outside';
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: secret, NODE_ENV: secret, VITE_A: secret, ROLLDOWN_A: secret };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', run], { env });
    expect(stdout).to.contain('"nowhere"').and.not.contain(secret);
  });

  it('are the same wherever the files are', async () => {
    await using elsewhere = await makeFolders({});
    await cp(folders.path, elsewhere.path, { recursive: true });
    const code = await codeOf(join(folders.path, 'cal/good.ts'));
    expect(await codeOf(join(elsewhere.path, 'cal/good.ts'))).to.equal(code);
    expect(code).not.to.contain(folders.path);
  });

  for (const [what, imports, fault] of [
    ['a part of Node', "import { readFileSync as x } from 'node:fs';", 'imports "node:fs", which is part of Node'],
    ['a part of Node by its old name', "import x from 'child_process';", 'imports "child_process", which is part of Node'],
    ['a package that needs Node', "import x from 'needs-node';", 'needs-node/main.js imports "fs", which is part of Node'],
    ['a native addon', "import x from 'compiled';", 'imports "compiled", which is not JavaScript'],
    ['WebAssembly', "import x from './module.wasm';", 'imports "./module.wasm", which is not JavaScript'],
    ['a package that is not there', "import { x } from 'nowhere';", 'imports "nowhere", which was not found'],
    ['a file that is not there', "import x from './gone.ts';", 'imports "./gone.ts", which was not found'],
    [
      'an address',
      "import x from 'https://packages.example/x.js';",
      'imports "https://packages.example/x.js", which was not found',
    ],
    ['what a file does not export', "import { x } from './own.ts';", 'line 2, column 10: "x" is not exported by "own.ts"'],
  ] as const) {
    it(`are refused with ${what}`, async () => {
      await using own = await makeFolders({ ...PACKAGES, 'cal/bad.ts': script(imports, 'x') });
      const made = await bundle(join(own.path, 'cal/bad.ts'));
      expect('faults' in made ? made.faults : []).to.have.length(1);
      expect('faults' in made && made.faults[0]).to.contain(fault);
    });
  }
});
