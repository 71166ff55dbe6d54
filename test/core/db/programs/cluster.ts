import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readPidFile } from '../../../../core/db/embedded-postgres/leftover-server.ts';
import { databaseRoot } from '../../../support/database-root.ts';

/** A folder for a database, which every user may pass through, removed by disposal. */
export interface Folder extends AsyncDisposable {
  readonly path: string;
}

export async function temporaryFolder(): Promise<Folder> {
  return folderIn(await databaseRoot());
}

/** Creates such a folder on a disk, from which programs may be run everywhere. */
export function temporaryDiskFolder(): Promise<Folder> {
  return folderIn(tmpdir());
}

async function folderIn(parent: string): Promise<Folder> {
  const path = await mkdtemp(join(parent, 'svc-embedded-'));
  await chmod(path, 0o711);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function setting(url: string, name: string): Promise<unknown> {
  const [row] = await query(url, `show ${name}`);
  return row?.[name];
}

export function socketDirOf(url: string): string {
  return new URL(url).searchParams.get('host') ?? '';
}

export function serverPid(dataDir: string): number {
  const found = readPidFile(join(dataDir, 'postgres'));
  if (!found) throw new Error(`no server has run in ${dataDir}`);
  return found.pid;
}
