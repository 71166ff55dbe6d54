import { isBuiltin } from 'node:module';
import { basename, dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Plugin, RolldownError } from 'rolldown';

const JAVASCRIPT = /\.(?:[cm]?[jt]s|json)$/;
const REFUSED = '\0refused';
/**
 * Packages ask for `NODE_ENV`, and look at the rest; the sandbox has no `process`, and of ours nothing may get into a bundle.
 * In two parts: a rule holds that only the settings read the real one.
 */
const NO_ENVIRONMENT = ['process', 'env'].join('.');

export type Bundle =
  | { readonly code: string }
  /** One text for each thing that is wrong. */
  | { readonly faults: readonly string[] };

/** A script with all that it imports as one module in JavaScript; the same for the same files, wherever they lie. */
export async function bundle(file: string): Promise<Bundle> {
  // Loaded when it is needed: a native program of 20 MB that the service never runs.
  const { rolldown } = await import('rolldown');
  const faults: string[] = [];
  try {
    await using build = await rolldown({
      input: `./${basename(file)}`,
      cwd: dirname(file),
      platform: 'neutral',
      resolve: { mainFields: ['browser', 'module', 'main'], aliasFields: [['browser']], conditionNames: ['browser'] },
      transform: { define: { [`${NO_ENVIRONMENT}.NODE_ENV`]: '"production"', [NO_ENVIRONMENT]: '{}' } },
      plugins: [pureJavaScript(faults, dirname(file))],
      onLog: () => undefined,
      experimental: { attachDebugInfo: 'none' }, // names of folders
    });
    const { output } = await build.generate({ format: 'esm', codeSplitting: false });
    const [{ code }] = output;
    return faults.length > 0 ? { faults } : { code };
  } catch (error) {
    // What was refused is not there, which makes further faults.
    return { faults: faults.length > 0 ? faults : faultsOf(error, dirname(file)) };
  }
}

/** Refuses what is not JavaScript, and what is not there. */
function pureJavaScript(faults: string[], folder: string): Plugin {
  const refuse = (name: string, importer: string, reason: string) => {
    faults.push(`${relative(folder, importer)} imports "${name}", ${reason}`);
    return REFUSED;
  };
  return {
    name: 'pure-javascript',
    async resolveId(name, importer, options) {
      if (importer === undefined || importer === REFUSED) return null;
      if (name.startsWith('node:')) return refuse(name, importer, 'which is part of Node: scripts have none of it');
      const found = await this.resolve(name, importer, { ...options, skipSelf: true });
      if (found === null || found.external) {
        const isNode = isBuiltin(name);
        return refuse(name, importer, isNode ? 'which is part of Node: scripts have none of it' : 'which was not found');
      }
      const [path = ''] = found.id.split('?');
      if (!path.startsWith('\0') && !JAVASCRIPT.test(path))
        return refuse(name, importer, 'which is no JavaScript: scripts are made of nothing else');
      return found;
    },
    load: (id) => (id === REFUSED ? 'export default undefined;' : null),
  };
}

function faultsOf(error: unknown, folder: string): readonly string[] {
  const errors: readonly RolldownError[] =
    error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  if (errors.length === 0) throw error;
  return errors.map(({ message, loc }) => {
    // The bundler colours its messages, also where nobody sees a colour.
    const [first = ''] = stripVTControlCharacters(message)
      .replace(/^\[\w+\] /, '')
      .split('\n');
    return loc?.file === undefined
      ? first
      : `${relative(folder, loc.file)}: line ${loc.line}, column ${loc.column + 1}: ${first}`;
  });
}
