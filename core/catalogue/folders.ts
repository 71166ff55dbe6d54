import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../kit/error-code.ts';

/** The reason why a folder of a provider or plugin was left out. The service logs it and runs without the folder. */
export interface Fault {
  readonly folder: string;
  readonly file: string;
  readonly line?: number;
  readonly reason: string;
  /** A reason without paths and values, which API callers may read; if undefined, they are referred to the log. */
  readonly publicReason?: string;
}

/** Returns the reason that API callers may read. */
export function publicReasonOf({ publicReason }: Fault): string {
  return publicReason ?? 'see the log of the service at its start';
}

/** A folder of a provider, of a plugin, or of both. */
export interface Folder {
  readonly name: string;
  readonly directory: string;
  /** True if the folder comes with the service; such a folder is replaced by an operator's folder of the same name. */
  readonly isBundled?: true;
}

/** A bundled folder that is replaced by one of the operator's. */
export interface Replacement {
  readonly folder: string;
  readonly file: string;
  readonly replaced: string;
}

/** Lists the operator's folders, then those that come with the service. */
export function listAllFolders(dirs: readonly string[], bundled: readonly string[]): { folders: Folder[]; faults: Fault[] } {
  const own = listFolders(dirs);
  const ours = listFolders(bundled);
  const marked = ours.folders.map((folder): Folder => ({ ...folder, isBundled: true }));
  return { folders: [...own.folders, ...marked], faults: [...own.faults, ...ours.faults] };
}

/**
 * Lists the folders below each directory, sorted by name. Hidden folders are left out; symbolic links are followed. The catalogue
 * is read synchronously: no requests are served before that, and a thousand small files are read in a tenth of the time.
 */
export function listFolders(dirs: readonly string[]): { folders: Folder[]; faults: Fault[] } {
  const folders: Folder[] = [];
  const faults: Fault[] = [];
  for (const dir of dirs) {
    try {
      folders.push(...foldersBelow(dir));
    } catch (cause) {
      faults.push({ folder: dir, file: dir, reason: `cannot be read (${errorCode(cause) ?? 'unknown error'})` });
    }
  }
  return { folders, faults };
}

function foldersBelow(dir: string): Folder[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && isFolder(entry, join(dir, entry.name)))
    .map(({ name }) => ({ name, directory: join(dir, name) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns whether an entry is a folder. A dangling link is not, and must not make the whole listing fail. */
function isFolder(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
