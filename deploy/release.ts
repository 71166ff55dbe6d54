import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { buildUi } from '../ui/build.ts';
import { storeCompiledCode } from './compiled-code.ts';
import { copyProductionFiles, PROJECT } from './production-files.ts';

const NAME = `svc-${manifest.version}-${process.platform}-${process.arch}`;

/** Writes the release of this platform into a folder that is new: everything that the service needs, with Node and Postgres. */
async function writeRelease(folder: string): Promise<void> {
  await buildUi();
  await copyProductionFiles(folder);
  await storeCompiledCode(folder);
}

/** Writes the archive of this platform's release. @returns its path */
async function writeArchive(): Promise<string> {
  const parent = mkdtempSync(join(tmpdir(), 'svc-release-'));
  try {
    await writeRelease(join(parent, NAME));
    const archive = join(PROJECT, 'dist', `${NAME}.tar.gz`);
    mkdirSync(join(PROJECT, 'dist'), { recursive: true });
    execFileSync('tar', ['-czf', archive, '-C', parent, NAME], { stdio: 'inherit' });
    return archive;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

const [folder] = process.argv.slice(2);
if (folder === undefined) console.log(await writeArchive());
else await writeRelease(resolve(folder));
