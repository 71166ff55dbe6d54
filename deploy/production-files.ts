import { readFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../', import.meta.url));

/** What a release holds of the project's folder. The sources of the pages tell `svc start` that the built ones are up to date. */
const CONTENT = [
  ...['core', 'deploy', 'docs', 'migrations', 'plugins', 'providers', 'scripts-runtime', 'sdk', 'ui'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'svc', 'README.md', 'CHANGELOG.md', 'LICENSE'],
];
/** Tests, the programs that make a release, what `npm run build:sdk` writes, and secrets of whoever makes the release. */
const LEFT_OUT = /\.test\.ts$|^deploy\/[^/]+\.(ts|sh)$|^sdk\/[^/]+\/dist$|\/svc\.env$/;

/** Node itself is copied as `node_modules/.bin/node`, from whatever file runs this. */
const NODE_PACKAGES = /^node_modules\/node-(bin|linux|win)-/;
const platform = `${process.platform}-${process.arch}`;
/** Files of packages that no program reads: type declarations, source maps, what C programs are linked to, other platforms. */
const UNREAD = [
  /\.d\.[cm]?ts$/,
  /\.map$/,
  /\/native\/(lib\/.+\.a|lib\/pkgconfig|lib\/postgresql\/pgxs|include)$/,
  new RegExp(`/isolated-vm/(prebuilds/(?!${platform}$)[^/]+|src|vendor|native-example|[^/]+\\.tgz)$`),
];

interface LockedPackage {
  readonly dev?: boolean;
}

/** Copies what runs the service, and nothing that only builds or tests it, into a folder that is new. */
export async function copyProductionFiles(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  for (const name of CONTENT) await copy(name, folder, (path) => !LEFT_OUT.test(path));
  for (const path of productionPackages())
    await copy(path, folder, (inner) => inner === path || !isUnread(inner, path)).catch(ignoreMissing);
  await cp(process.execPath, join(folder, 'node_modules/.bin/node'));
}

/** Returns the folders of all packages that are no development dependencies; those of other platforms are not installed. */
function productionPackages(): readonly string[] {
  const { packages }: { packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'),
  );
  return Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true && !NODE_PACKAGES.test(path));
}

/** Packages below this one have their own entries in the lock file. */
function isUnread(path: string, ofPackage: string): boolean {
  return path === `${ofPackage}/node_modules` || UNREAD.some((pattern) => pattern.test(path));
}

async function copy(path: string, folder: string, isWanted: (path: string) => boolean): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await cp(join(PROJECT, path), join(folder, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => isWanted(relative(PROJECT, source).replaceAll('\\', '/')),
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
