import { isBuiltin } from 'node:module';
import { basename, dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Plugin, RolldownError } from 'rolldown';

const JAVASCRIPT = /\.(?:[cm]?[jt]s|json)$/;
const REJECTED = '\0rejected';
/**
 * Replacements for the environment: packages read `NODE_ENV` and more, but the sandbox has no `process`, and nothing of the
 * service's environment may get into a bundle.
 */
const NO_ENVIRONMENT = { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' };

type Bundle =
  | { readonly code: string }
  /** One message for each fault. */
  | { readonly faults: readonly string[] };

/** Bundles a script and its imports into one JavaScript module. The same files give the same output, wherever they are. */
export async function bundle(file: string): Promise<Bundle> {
  // Loaded on demand: a native module of 20 MB that the service never uses.
  const { rolldown } = await import('rolldown');
  const faults: string[] = [];
  try {
    await using build = await rolldown({
      input: `./${basename(file)}`,
      cwd: dirname(file),
      platform: 'neutral',
      resolve: { mainFields: ['browser', 'module', 'main'], aliasFields: [['browser']], conditionNames: ['browser'] },
      transform: { define: NO_ENVIRONMENT },
      plugins: [pureJavaScript(faults, dirname(file))],
      onLog: () => undefined,
      experimental: { attachDebugInfo: 'none' }, // it would contain folder names
    });
    const { output } = await build.generate({ format: 'esm', codeSplitting: false });
    const [{ code }] = output;
    return faults.length > 0 ? { faults } : { code };
  } catch (error) {
    // Rejected imports are missing from the build, so the build's own error is only a consequence of them.
    return { faults: faults.length > 0 ? faults : faultsOf(error, dirname(file)) };
  }
}

/** Rejects imports that are missing, part of Node, or not JavaScript. */
function pureJavaScript(faults: string[], folder: string): Plugin {
  const reject = (name: string, importer: string, reason: string) => {
    faults.push(`${relative(folder, importer)} imports "${name}", ${reason}`);
    return REJECTED;
  };
  return {
    name: 'pure-javascript',
    async resolveId(name, importer, options) {
      if (importer === undefined || importer === REJECTED) return null;
      if (name.startsWith('node:')) return reject(name, importer, 'which is part of Node and not available to scripts');
      const found = await this.resolve(name, importer, { ...options, skipSelf: true });
      if (found === null || found.external) {
        const isNode = isBuiltin(name);
        return reject(name, importer, isNode ? 'which is part of Node and not available to scripts' : 'which was not found');
      }
      const [path = ''] = found.id.split('?');
      if (!path.startsWith('\0') && !JAVASCRIPT.test(path)) return reject(name, importer, 'which is not JavaScript');
      return found;
    },
    load: (id) => (id === REJECTED ? 'export default undefined;' : null),
  };
}

function faultsOf(error: unknown, folder: string): readonly string[] {
  const errors: readonly RolldownError[] =
    error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  if (errors.length === 0) throw error;
  return errors.map(({ message, loc }) => {
    // The bundler colours its messages even when standard error is not a terminal.
    const [first = ''] = stripVTControlCharacters(message)
      .replace(/^\[\w+\] /, '')
      .split('\n');
    return loc?.file === undefined
      ? first
      : `${relative(folder, loc.file)}: line ${loc.line}, column ${loc.column + 1}: ${first}`;
  });
}
