import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildFrontendSdk } from '../../sdk/frontend/build.ts';
import { makeFolders } from '../support/folders.ts';
import { projectFolder } from '../support/source-files.ts';
import { compile } from '../support/typescript-folder.ts';
import { use } from '../support/use.ts';

/** Declarations for the parts of React and Vue that the recipes use. */
const STUBS = `
declare module 'react' {
  export function useEffect(effect: () => () => void, deps: readonly unknown[]): void;
  export function useRef<T>(initial: T): { current: T };
}
declare module 'vue' {
  export function onUnmounted(hook: () => void): void;
}
declare function defineProps<T>(): T;
declare function defineEmits<T>(): (name: keyof T) => void;
declare namespace JSX { interface IntrinsicElements { button: Record<string, unknown> } }
declare const token: string;
`;
const OPTIONS = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  moduleDetection: 'force',
  lib: ['es2022', 'dom', 'dom.iterable'],
  jsx: 'preserve',
  strict: true,
  noEmit: true,
  types: [],
};
/** Matches the script of a component for Vue, which is HTML. */
const VUE_SCRIPT = /^<script setup lang="ts">([\s\S]*)<\/script>/;

async function recipesOf(file: string): Promise<readonly { extension: string; text: string }[]> {
  const document = await readFile(join(projectFolder, file), 'utf8');
  return [...document.matchAll(/^```(tsx|ts|html)\n([\s\S]*?)^```/gm)].flatMap(([, language = '', text = '']) => {
    if (language !== 'html') return { extension: language, text };
    const script = VUE_SCRIPT.exec(text)?.[1];
    return script === undefined ? [] : { extension: 'ts', text: script };
  });
}

describe('the recipes for the frontend SDK', function () {
  this.timeout(120_000);
  const folder = use(this, () =>
    makeFolders({ 'stubs.d.ts': STUBS, 'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS }) }),
  );

  before(async () => {
    const installed = join(folder.path, 'node_modules/svc-frontend');
    await mkdir(installed, { recursive: true });
    await writeFile(join(installed, 'package.json'), await readFile(join(projectFolder, 'sdk/frontend/package.json')));
    buildFrontendSdk(join(installed, 'dist'));
  });

  it('exist for React, Vue and plain pages, and pass the type check', async () => {
    const recipes = [...(await recipesOf('docs/frontend.md')), ...(await recipesOf('sdk/frontend/README.md'))];
    expect(recipes.map(({ extension }) => extension)).to.deep.equal(['tsx', 'ts', 'ts', 'ts', 'ts']);
    for (const [index, { extension, text }] of recipes.entries())
      await writeFile(join(folder.path, `${index}.${extension}`), text);
    expect(compile(folder.path)).to.deep.equal([]);
  });

  it('would not compile if they were wrong', async () => {
    await writeFile(
      join(folder.path, 'wrong.ts'),
      "import { Svc } from 'svc-frontend';\nnew Svc().openConnectUI({ lang: 5 });\n",
    );
    expect(compile(folder.path).join()).to.include("'number' is not assignable to type 'string'");
  });
});
