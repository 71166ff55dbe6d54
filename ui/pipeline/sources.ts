import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** What the result of a build depends on, this script and the versions of the packages included. */
const SOURCES = ['ui/**/*.*', 'sdk/frontend/src/**/*.*', 'sdk/frontend/package.json', 'package-lock.json', 'tsconfig.json'];
const NO_SOURCES = ['ui/dist/**', '**/*.md', '**/*.test.ts'];

export function hashOfSources(project = PROJECT): string {
  const files = globSync(SOURCES, { cwd: project, exclude: NO_SOURCES, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${file.slice(project.length)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}
