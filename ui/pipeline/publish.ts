import { createHash, randomUUID } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Manifest, readManifest } from './manifest.ts';
import { PROJECT } from './sources.ts';

/**
 * Age from which unused folders are removed; younger ones may belong to a process that is building or starting at the same time.
 */
const ABANDONED_AFTER_MS = 60_000;
/** The highest quality, 11, takes 25 times as long for files that are 8 % smaller, and the first `npm start` waits for it. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } };

interface Publication {
  readonly dist: string;
  readonly sources: string;
  /** Writes the files into the given folder. */
  readonly write: (folder: string) => Promise<void>;
}

/**
 * Writes a build into a new folder below `dist`, then names that folder in the manifest. The manifest is replaced by renaming, so
 * that a process that reads or builds at the same time finds either the old files or the new ones.
 */
export async function publish({ dist, sources, write }: Publication): Promise<Manifest> {
  const folder = `${sources.slice(0, 8)}-${randomUUID().slice(0, 8)}`;
  const path = join(dist, folder);
  mkdirSync(path, { recursive: true });
  try {
    await write(path);
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
  const replaced = readManifest(dist)?.folder;
  const manifest = { sources, folder, files: compress(path), sdk: describeSdk(path) };
  const draft = join(path, 'manifest.json');
  writeFileSync(draft, `${JSON.stringify(manifest, null, 2)}\n`);
  renameSync(draft, join(dist, 'manifest.json'));
  removeAbandoned(dist, [folder, replaced]);
  return manifest;
}

/** Adds a `.br` and a `.gz` to each file. */
function compress(folder: string): Manifest['files'] {
  const files = globSync('**/*.*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(
    files.map((file) => {
      const content = readFileSync(file);
      const gzip = gzipSync(content, { level: 9 });
      writeFileSync(`${file}.gz`, gzip);
      writeFileSync(`${file}.br`, brotliCompressSync(content, BROTLI));
      return [file.slice(folder.length + 1).replaceAll('\\', '/'), { bytes: content.length, gzip: gzip.length }];
    }),
  );
}

function describeSdk(folder: string): Manifest['sdk'] {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'sdk/frontend/package.json'), 'utf8'));
  const hash = createHash('sha384')
    .update(readFileSync(join(folder, 'sdk/v1.js')))
    .digest('base64');
  return { version, integrity: `sha384-${hash}` };
}

/**
 * Removes unused folders.
 *
 * @param kept the new folder and the previous one, whose files a process may still read if it has just read the old manifest
 */
function removeAbandoned(dist: string, kept: readonly (string | undefined)[]): void {
  for (const entry of readdirSync(dist, { withFileTypes: true })) {
    const path = join(dist, entry.name);
    if (!entry.isDirectory() || kept.includes(entry.name)) continue;
    // Another process may remove the folder at the same time.
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - madeAt > ABANDONED_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
}
