import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** Files that the result of a build depends on, including this script and the versions of the packages. */
const SOURCES = [
  'ui/**/*.*',
  // Files that `browserSafe` of `.dependency-cruiser.cjs` lets pages import.
  'core/catalogue/auth-words.ts',
  'core/contract/{field-rules,compile-pattern,pasted}.ts',
  'core/kit/{color,exact-json,language,monogram}.ts',
  'core/scripts/{event,examples,source-fault}.ts',
  'scripts-runtime/{limits,script.d}.ts',
  'sdk/frontend/src/**/*.*',
  'sdk/frontend/package.json',
  // The guides.
  'docs/*.md',
  'sdk/*/README.md',
  'package-lock.json',
  'tsconfig.json',
];
const NO_SOURCES = ['ui/dist/**', 'ui/**/*.md', '**/*.test.ts'];

/** Returns the paths of the sources, relative to the project, in the same order on every machine. */
export function sourcesOf(project = PROJECT): string[] {
  return globSync(SOURCES, { cwd: project, exclude: NO_SOURCES, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(project, join(entry.parentPath, entry.name)))
    .sort();
}

export function hashOfSources(project = PROJECT): string {
  const hash = createHash('sha256');
  for (const file of sourcesOf(project)) {
    const bytes = readFileSync(join(project, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}
