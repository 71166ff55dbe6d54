import { basename, dirname } from 'node:path';

/**
 * A script with all that it imports as one module in JavaScript, by rolldown, which is loaded only here. What cannot be bundled,
 * such as `node:fs`, stays an import: the service refuses it and names its place.
 *
 * @throws Error without rolldown, or when something imported is not there
 */
export async function bundle(file: string): Promise<string> {
  const { rolldown } = await loadBundler();
  const build = await rolldown({
    input: `./${basename(file)}`,
    cwd: dirname(file),
    platform: 'neutral',
    resolve: { mainFields: ['browser', 'module', 'main'], aliasFields: [['browser']], conditionNames: ['browser'] },
    // Packages ask for it; the sandbox has no `process`, and nothing of this one may get into a bundle.
    transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' } },
    onLog: () => undefined,
    // Names of folders.
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
    throw new Error('this script imports something: `npm install rolldown`, which puts it into the script', { cause });
  }
}
