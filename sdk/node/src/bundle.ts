import { basename, dirname } from 'node:path';

/**
 * Returns a script and its imports as one JavaScript module. It is bundled by rolldown, which is loaded only here. An import
 * that cannot be bundled, such as `node:fs`, remains: the service rejects it with its position.
 *
 * @throws Error without rolldown, or for a missing import
 */
export async function bundle(file: string): Promise<string> {
  const { rolldown } = await loadBundler();
  const build = await rolldown({
    input: `./${basename(file)}`,
    cwd: dirname(file),
    platform: 'neutral',
    resolve: { mainFields: ['browser', 'module', 'main'], aliasFields: [['browser']], conditionNames: ['browser'] },
    // Packages read these; the sandbox has no `process`, and no value of this one may get into a bundle.
    transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' } },
    onLog: () => undefined,
    // Debug information would name folders of this machine.
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
