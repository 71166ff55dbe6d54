import { join } from 'node:path';
import { build, type InlineConfig, type Plugin } from 'vite';
import { languageFiles } from './language-files.ts';
import { PROJECT } from './sources.ts';

const UI = join(PROJECT, 'ui');
const SDK = join(PROJECT, 'sdk/frontend/src/classic.ts');
/** The apps, a page each, with what their files need. They share no files: what one of them loads depends on nothing of the other. */
const APPS = { connect: [languageFiles()], dashboard: [] };

const COMMON: InlineConfig = {
  configFile: false,
  envFile: false,
  publicDir: false,
  logLevel: 'silent',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
};
const OUTPUT = { target: 'es2022', emptyOutDir: false, sourcemap: false, reportCompressedSize: false } as const;

/** Writes pages, hashed assets and the SDK's script into a folder, by their addresses below the base URL. */
export async function bundle(outDir: string): Promise<void> {
  for (const [app, plugins] of Object.entries(APPS)) await buildApp(app, plugins, outDir);
  await build({
    ...COMMON,
    root: UI,
    build: {
      ...OUTPUT,
      outDir,
      // `const` rather than `var`: the minifier puts those that are used once where they are used.
      rolldownOptions: { input: SDK, output: { format: 'iife', entryFileNames: 'sdk/v1.js', topLevelVar: false } },
    },
  });
}

async function buildApp(app: string, plugins: readonly Plugin[], outDir: string): Promise<void> {
  await build({
    ...COMMON,
    root: UI,
    plugins: [...plugins],
    // Pages have a `<base href>` of the whole service; scripts find each other wherever they are.
    experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? file : { relative: true }) },
    build: {
      ...OUTPUT,
      outDir,
      modulePreload: { polyfill: false },
      // Inline data would need a wider policy.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: join(UI, app, 'index.html'),
        output: {
          entryFileNames: `${app}/assets/[name]-[hash].js`,
          chunkFileNames: `${app}/assets/[name]-[hash].js`,
          assetFileNames: `${app}/assets/[name]-[hash][extname]`,
        },
      },
    },
  });
}
