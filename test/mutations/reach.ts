import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { SOURCE_FOLDERS } from '../support/source-files.ts';

/** Names that are no paths: `imports` of package.json. */
const ALIASES: Readonly<Record<string, string>> = { '#contract': 'core/contract/index.ts' };

/** How many imports lie between each file of the project and `path`, for those from which it is reached. */
export function distancesTo(project: string, path: string): ReadonlyMap<string, number> {
  const importers = importersIn(project);
  const distances = new Map([[path, 0]]);
  // A Map hands out what is added while it is walked through: nearest first.
  for (const [reached, distance] of distances)
    for (const importer of importers.get(reached) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

/** Those from which `path` is reached by the fewest imports first; the others, which may start it as a process, as they were. */
export function nearestFirst(files: readonly string[], distances: ReadonlyMap<string, number>): readonly string[] {
  const far = Number.MAX_SAFE_INTEGER;
  return files.toSorted((one, other) => (distances.get(one) ?? far) - (distances.get(other) ?? far));
}

function importersIn(project: string): ReadonlyMap<string, readonly string[]> {
  const files = globSync(
    SOURCE_FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: project, exclude: (name) => name === 'node_modules' || name === 'dist' },
  );
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const imported of importsOf(project, file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
  return importers;
}

function importsOf(project: string, file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(project, file), 'utf8'), true, true);
  return importedFiles
    .map(({ fileName }) => ALIASES[fileName] ?? (fileName.startsWith('.') ? normalize(join(dirname(file), fileName)) : ''))
    .filter((path) => path !== '' && existsSync(join(project, path)));
}
