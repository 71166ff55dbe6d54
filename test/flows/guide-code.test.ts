import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { providerDefinition } from '../../core/catalogue/provider-definition.ts';
import { codeBlocks } from '../support/code-blocks.ts';
import { makeFolders } from '../support/folders.ts';
import { projectFolder } from '../support/source-files.ts';
import { compile } from '../support/typescript-folder.ts';

const textOf = (path: string) => readFileSync(join(projectFolder, path), 'utf8');
/** Compiler options for code outside of the project folder. */
const TYPES = {
  typeRoots: [join(projectFolder, 'node_modules/@types')],
  types: ['node'],
  rewriteRelativeImportExtensions: false,
  allowImportingTsExtensions: true,
};
const GUIDES = globSync('docs/*.md', { cwd: projectFolder });

/**
 * Returns the blocks of a document in a language. The frontend SDK's blocks are compiled by `frontend-recipes`, those of the Node
 * client, of `webhooks.md` and of `proxy.md` run in tests of their own.
 */
const blocksOf = (path: string, language: string) => codeBlocks(textOf(path), language);

/** What the fragments of plugins.md leave to the reader. */
const READERS = `
import { PluginError, textAt, timedSignature } from '#contract';
import type { ConnectionKey, HookContext, Json, JsonObject, ProviderPlugin, TokenSet } from '#contract';
declare const longLived: (ctx: object, tokens: TokenSet) => Promise<TokenSet>;
declare const redeem: (ctx: object, grant: object) => Promise<TokenSet>;
declare const signIn: (ctx: object, entered: object) => Promise<TokenSet>;
declare const callMe: (ctx: HookContext) => Promise<Response>;
declare const removeBot: (ctx: HookContext) => Promise<void>;
declare const signOut: (ctx: HookContext) => Promise<void>;
declare const createHook: (ctx: HookContext, target: object) => Promise<string>;
declare const extendHook: (ctx: HookContext, subscription: object) => Promise<JsonObject>;
declare const deleteHook: (ctx: HookContext, subscription: object) => Promise<void>;
declare const teamKeys: (payload: Json) => ConnectionKey[];
declare const hmacOf: (raw: unknown) => string;
declare const secretOf: (connection: object) => string | undefined;
declare function connectionsOf(payload: Json): ConnectionKey[];
`;
/** Matches the members of a plugin at the end of a block. */
const MEMBERS = /^(auth|connection|subscriptions|webhook|proxy): \{.*/ms;

function asPlugin(fragment: string): string {
  if (!MEMBERS.test(fragment)) return `${READERS.replace(/^declare function.*$/m, '')}${fragment}`;
  return `${READERS}${fragment.replace(MEMBERS, (members) => `export default { contract: 1,\n${members}} satisfies ProviderPlugin;`)}`;
}

describe('the code in the guides', function () {
  this.timeout(120_000);

  it('plugins.md: each hook passes the type check', async () => {
    const fragments = blocksOf('docs/plugins.md', 'ts').map((code) => (code.includes('#contract') ? code : asPlugin(code)));
    expect(fragments).to.have.length.above(8);
    const files = Object.fromEntries(fragments.map((code, index) => [`hook-${index}.ts`, code]));
    const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false, ...TYPES };
    await using folder = await makeFolders({
      ...files,
      'tsconfig.json': JSON.stringify({
        extends: join(projectFolder, 'tsconfig.json'),
        include: ['*.ts'],
        exclude: [],
        compilerOptions,
      }),
      'package.json': JSON.stringify({ type: 'module', imports: { '#contract': './contract.ts' } }),
      'contract.ts': `export * from '${join(projectFolder, 'core/contract/index.ts')}';\n`,
    });
    expect(compile(folder.path)).to.deep.equal([]);
  });

  it('scripts.md: each script passes the type check', async () => {
    const scripts = blocksOf('docs/scripts.md', 'ts');
    expect(scripts).to.have.length.above(1);
    const files = Object.fromEntries(scripts.map((code, index) => [`scripts/notes/script-${index}.ts`, code]));
    await using folder = await makeFolders({
      ...files,
      'scripts/script.d.ts': textOf('scripts-runtime/script.d.ts'),
      'tsconfig.json': textOf('docs/scripts/tsconfig.json'),
    });
    expect(compile(folder.path)).to.deep.equal([]);
  });

  it('has no syntax error in JavaScript', () => {
    for (const [guide, code] of [...GUIDES, 'sdk/frontend/README.md'].flatMap((path) =>
      blocksOf(path, 'js').map((block) => [path, block] as const),
    )) {
      const { status, stderr } = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], {
        input: code,
        encoding: 'utf8',
      });
      expect(status, `${guide}: ${stderr}`).to.equal(0);
    }
  });

  for (const guide of GUIDES)
    for (const [index, json] of blocksOf(guide, 'json').entries())
      it(`${basename(guide)}: block ${index + 1} of JSON is valid, also as a definition`, () => {
        const value = JSON.parse(json.startsWith('"') ? `{${json}}` : json);
        if (value.auth_mode !== undefined) expect(providerDefinition.safeParse(value).error?.issues ?? []).to.deep.equal([]);
      });
});
