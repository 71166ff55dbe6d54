import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { SOURCE_FOLDERS } from '../support/source-files.ts';

/** The names in `imports` of package.json, which files import instead of a path. */
const ALIASES: Readonly<Record<string, string>> = { '#contract': 'core/contract/index.ts' };

/** Returns, for each file that imports `path` directly or indirectly, the length of the shortest chain of imports. */
export function distancesTo(project: string, path: string): ReadonlyMap<string, number> {
  const importers = importersIn(project);
  const distances = new Map([[path, 0]]);
  // Iterating over a Map includes entries that are added during the iteration, so this loop reaches the nearest files first.
  for (const [reached, distance] of distances)
    for (const importer of importers.get(reached) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

/** Sorts files by distance. Files without one, which may still start `path` as a process, come last, in the given order. */
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
