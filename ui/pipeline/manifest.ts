import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './sources.ts';

export const DIST = join(PROJECT, 'ui/dist');

/** The description of a build. `core/server/pages/built-ui.ts` reads it, too. */
export interface Manifest {
  /** Hash of the sources from which it was built. */
  readonly sources: string;
  /** Name of the folder below `ui/dist/` in which the files are. */
  readonly folder: string;
  /**
   * The files, by path below the base URL (pages without `.html`); each file also exists with `.br` and `.gz` appended to its
   * name.
   */
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly gzip: number }>>;
  readonly sdk: { readonly version: string; readonly integrity: string };
}

/** Reads the manifest. @returns undefined if nothing has been built, or the manifest cannot be read */
export function readManifest(dist: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
  } catch {
    return undefined;
  }
}
