import { basename, dirname } from 'node:path';

/**
 * Bundles a script and its imports into one JavaScript module, with rolldown, which is loaded only here. An import that cannot be
 * bundled, such as `node:fs`, is left in the module; the service then rejects the script and reports the import's position.
 *
 * @throws Error if rolldown is not installed, or an imported module cannot be found
 */
export async function bundle(file: string): Promise<string> {
  const { rolldown } = await loadBundler();
  const build = await rolldown({
    input: `./${basename(file)}`,
    cwd: dirname(file),
    platform: 'neutral',
    resolve: { mainFields: ['browser', 'module', 'main'], aliasFields: [['browser']], conditionNames: ['browser'] },
    // Many packages read these variables. Constants replace them, since the sandbox has no `process`, and no value of this
    // process's environment may get into a bundle.
    transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' } },
    onLog: () => undefined,
    // Debug information would contain the names of folders on this machine.
    experimental: { attachDebugInfo: 'none' },
  });
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false });
    return output[0].code;
  } finally {
    await build.close();
  }
}

async function loadBundler() {
  try {
    return await import('rolldown');
  } catch (cause) {
    throw new Error('this script has imports: run `npm install rolldown`, which bundles them into the script', { cause });
  }
}
