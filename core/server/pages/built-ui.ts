import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mediaTypeOf } from '../bodies/media-type.ts';
import type { PackedFile } from './packed-file.ts';

/** The output of `ui/build.ts` for browsers; it is small and held in memory. */
export interface BuiltUi {
  /** By address below the base URL; the addresses of pages end with `.html`. */
  readonly files: ReadonlyMap<string, PackedFile>;
  readonly sdk: { readonly version: string; readonly integrity: string };
}

interface Manifest {
  readonly folder: string;
  readonly files: Readonly<Record<string, unknown>>;
  readonly sdk: BuiltUi['sdk'];
}

/** @returns undefined when nothing has been built. @throws Error when a file of the manifest is missing or of an unknown kind */
export function readBuiltUi(dist: string): BuiltUi | undefined {
  const manifest = readManifest(dist);
  if (manifest === undefined) return undefined;
  const folder = join(dist, manifest.folder);
  const files = Object.keys(manifest.files).map((name) => [name, readBuiltFile(folder, name)] as const);
  return { files: new Map(files), sdk: manifest.sdk };
}

function readManifest(dist: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function readBuiltFile(folder: string, name: string): PackedFile {
  const file = join(folder, name);
  const packed = { br: readFileSync(`${file}.br`), gzip: readFileSync(`${file}.gz`) };
  return { type: mediaTypeOf(name), content: readFileSync(file), packed };
}
