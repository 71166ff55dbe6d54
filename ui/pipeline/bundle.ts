import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig, type Plugin } from 'vite';
import { renderGuides } from './guides.ts';
import { languageFiles } from './language-files.ts';
import { scriptTypes } from './script-types.ts';
import { PROJECT } from './sources.ts';

const UI = join(PROJECT, 'ui');
const SDK = join(PROJECT, 'sdk/frontend/src/classic.ts');
/**
 * The apps, each with the file that names all others and the plugins that build them. The apps share no files, so that what one of
 * them loads does not depend on the other. The pages of `docs` are rendered by the service, and have a script only.
 */
const APPS = {
  connect: { input: 'index.html', plugins: [languageFiles()] },
  dashboard: { input: 'index.html', plugins: [scriptTypes()] },
  docs: { input: 'main.ts', plugins: [] },
};

const COMMON: InlineConfig = {
  configFile: false,
  envFile: false,
  publicDir: false,
  logLevel: 'silent',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
};
const OUTPUT = { target: 'es2022', emptyOutDir: false, sourcemap: false, reportCompressedSize: false } as const;

/**
 * Writes pages, hashed assets and the SDK's script into a folder, at the paths that they have below the base URL. Of the guides the
 * service itself makes pages.
 */
export async function bundle(outDir: string): Promise<void> {
  mkdirSync(join(outDir, 'docs'), { recursive: true });
  writeFileSync(join(outDir, 'docs/guides.json'), JSON.stringify(renderGuides()));
  for (const [app, parts] of Object.entries(APPS)) await buildApp(app, parts, outDir);
  await build({
    ...COMMON,
    root: UI,
    build: {
      ...OUTPUT,
      outDir,
      // Keeps `const` instead of `var`, so that the minifier inlines constants that are used once.
      rolldownOptions: { input: SDK, output: { format: 'iife', entryFileNames: 'sdk/v1.js', topLevelVar: false } },
    },
  });
}

interface AppParts {
  readonly input: string;
  readonly plugins: readonly Plugin[];
}

async function buildApp(app: string, { input, plugins }: AppParts, outDir: string): Promise<void> {
  await build({
    ...COMMON,
    root: UI,
    plugins: [...plugins],
    // Pages have a `<base href>` for the whole service; scripts find each other by relative paths, whatever the base URL is.
    experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? file : { relative: true }) },
    build: {
      ...OUTPUT,
      outDir,
      modulePreload: { polyfill: false },
      // Inline data would need a wider content security policy.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: join(UI, app, input),
        output: {
          entryFileNames: `${app}/assets/[name]-[hash].js`,
          chunkFileNames: `${app}/assets/[name]-[hash].js`,
          assetFileNames: `${app}/assets/[name]-[hash][extname]`,
        },
      },
    },
  });
}
