import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommand } from '../support/command-line.ts';
import { makeFolders } from '../support/folders.ts';
import { projectFolder } from '../support/source-files.ts';
import { compile } from '../support/typescript-folder.ts';

/** A program that uses globals whose types differ between Node and the sandbox. */
const PROGRAM = `
const timer: NodeJS.Timeout = setTimeout(() => console.table([new URL('http://a').searchParams.size]), 1);
timer.unref();
export const bytes: Buffer = Buffer.from(crypto.getRandomValues(new Uint8Array(1)));
`;

const PROJECTS: Readonly<Record<string, object>> = {
  'ES modules': { module: 'nodenext' },
  CommonJS: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
  'a bundler': { module: 'esnext', moduleResolution: 'bundler', isolatedModules: true },
};

describe('a folder of scripts inside an application', () => {
  for (const [what, options] of Object.entries(PROJECTS)) {
    it(`leaves the types of the application alone (${what})`, async () => {
      const compiler = what === 'CommonJS' ? 'typescript' : undefined;
      const compilerOptions = { strict: true, target: 'es2022', types: ['node'], ...options };
      await using folder = await makeFolders({ 'tsconfig.json': JSON.stringify({ compilerOptions }), 'src/main.ts': PROGRAM });
      await mkdir(join(folder.path, 'node_modules/@types'), { recursive: true });
      for (const name of ['@types/node', 'undici-types'])
        await symlink(join(projectFolder, 'node_modules', name), join(folder.path, 'node_modules', name));
      expect(compile(folder.path, compiler)).to.deep.equal([]);
      const { code } = await runCommand({}, 'scripts', 'init', join(folder.path, 'scripts'), '--integration', 'cal');
      expect(code).to.equal(0);
      expect(compile(folder.path, compiler)).to.deep.equal([]);
      expect(compile(join(folder.path, 'scripts'))).to.deep.equal([]);
    });
  }
});
