import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../kit/error-code.ts';

/** Why a folder was left out. The service runs without it and logs that. */
export interface Fault {
  readonly folder: string;
  readonly file: string;
  readonly line?: number;
  readonly reason: string;
  /** What callers of the interface may read of it: it names no path and no value; undefined: nothing. */
  readonly publicReason?: string;
}

/** For callers of the interface. */
export function publicReasonOf({ publicReason }: Fault): string {
  return publicReason ?? 'see the log of the service at its start';
}

/** A folder of a provider, a plugin, or both. */
export interface Folder {
  readonly name: string;
  readonly directory: string;
  /** Comes with the service: one of the same name that does not takes its place. */
  readonly isBundled?: true;
}

/** A bundled folder whose place one of the operator's took. */
export interface Replacement {
  readonly folder: string;
  readonly file: string;
  readonly replaced: string;
}

/** The operator's folders, then those that come with the service. */
export async function listAllFolders(
  dirs: readonly string[],
  bundled: readonly string[],
): Promise<{ folders: Folder[]; faults: Fault[] }> {
  const own = await listFolders(dirs);
  const ours = await listFolders(bundled);
  const marked = ours.folders.map((folder): Folder => ({ ...folder, isBundled: true }));
  return { folders: [...own.folders, ...marked], faults: [...own.faults, ...ours.faults] };
}

/** The folders below each directory, in the order of their names; hidden ones are left out, symbolic links are followed. */
export async function listFolders(dirs: readonly string[]): Promise<{ folders: Folder[]; faults: Fault[] }> {
  const folders: Folder[] = [];
  const faults: Fault[] = [];
  for (const dir of dirs) {
    try {
      folders.push(...(await foldersBelow(dir)));
    } catch (cause) {
      faults.push({ folder: dir, file: dir, reason: `cannot be read (${errorCode(cause) ?? 'unknown error'})` });
    }
  }
  return { folders, faults };
}

async function foldersBelow(dir: string): Promise<Folder[]> {
  const names = (await readdir(dir)).filter((name) => !name.startsWith('.')).toSorted();
  const folders: Folder[] = [];
  for (const name of names) {
    const directory = join(dir, name);
    // A dangling link is no folder; it must not hide the others.
    const entry = await stat(directory).catch(() => undefined);
    if (entry?.isDirectory()) folders.push({ name, directory });
  }
  return folders;
}
