import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './sources.ts';

export const DIST = join(PROJECT, 'ui/dist');

/** What was built. `core/server/pages/built-ui.ts` reads it, too. */
export interface Manifest {
  /** Hash of what it was made of. */
  readonly sources: string;
  /** Below `ui/dist/`, where the files are. */
  readonly folder: string;
  /** By address below the base URL, for pages without `.html`; each file also exists with `.br` and `.gz` at its end. */
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly gzip: number }>>;
  readonly sdk: { readonly version: string; readonly integrity: string };
}

/** @returns undefined where nothing, or nothing readable, has been built */
export function readManifest(dist: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
  } catch {
    return undefined;
  }
}
