import { extname } from 'node:path';
import { ServiceError } from '../../errors.ts';
import type { Compiled, ScriptSource } from '../../scripts/compile.ts';
import type { Compiler } from '../../scripts/compiler.ts';
import type { Language, ScriptEvent } from '../../scripts/event.ts';
import { bundle } from './bundle.ts';
import { textOf } from './script-files.ts';

/** A script in the form in which it is deployed: as written, or bundled if it imports something. */
export interface PreparedScript {
  readonly language: Language;
  readonly source: string;
  readonly compiled: Compiled;
}

/** The faults of a script; each message starts with the file's path. */
interface Faults {
  readonly faults: readonly string[];
}

/**
 * Reads a script, and bundles it if it imports anything.
 *
 * A script without imports is not changed, so that deploying the same file through the API creates no new version.
 *
 * @throws CommandError when the file cannot be read
 */
export async function prepare(compiler: Compiler, event: ScriptEvent, file: string): Promise<PreparedScript | Faults> {
  const language = languageOf(file);
  const source = await textOf(file);
  const asWritten = await compiled(compiler, { event, language, source });
  if ('compiled' in asWritten) return { language, source, compiled: asWritten.compiled };
  if (!asWritten.onlyImports) return inFile(file, asWritten.faults);

  const bundled = await bundle(file);
  if ('faults' in bundled) return inFile(file, bundled.faults);
  const asBundled = await compiled(compiler, { event, language: 'javascript', source: bundled.code });
  if ('faults' in asBundled) return inFile(`${file}, bundled with its imports`, asBundled.faults);
  return { language: 'javascript', source: bundled.code, compiled: asBundled.compiled };
}

function languageOf(file: string): Language {
  return extname(file) === '.ts' ? 'typescript' : 'javascript';
}

type PrepareResult =
  | Pick<PreparedScript, 'compiled'>
  // `onlyImports`: every fault is an import in a script that is not bundled, the only kind of fault that bundling can resolve.
  | (Faults & { readonly onlyImports: boolean });

async function compiled(compiler: Compiler, source: ScriptSource): Promise<PrepareResult> {
  try {
    return { compiled: await compiler.compile(source) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.details.length === 0) throw error;
    const onlyImports = error.details.every(({ code }) => code === 'import_refused');
    return { faults: error.details.map(({ message }) => message), onlyImports };
  }
}

function inFile(file: string, faults: readonly string[]): Faults {
  return { faults: faults.map((fault) => `${file}: ${fault}`) };
}
