import { join } from 'node:path';
import pg from 'pg';
import { readPidFile } from '../../../../core/db/embedded-postgres/leftover-server.ts';

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
