import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import pg from 'pg';
import { openDatabase } from '../../core/db/database.ts';
import { migrate } from '../../core/db/migrate.ts';
import { createLogger, type Logger } from '../../core/kit/logger.ts';

const TEMPLATE = 'template_migrated';

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly db: Knex;
  /** Returns the content of all tables of all schemas as text, so that a test can assert that something is stored nowhere. */
  dump(): Promise<string>;
}

/**
 * Creates a database with the current schema. Disposal drops it.
 *
 * @param serverUrl the database server; default: that of the test run
 */
export function cloneDatabase(serverUrl = testServerUrl()): Promise<TestDatabase> {
  return createDatabase(serverUrl, TEMPLATE);
}

/** Creates a database without tables. Disposal drops it. */
export function emptyDatabase(serverUrl = testServerUrl()): Promise<TestDatabase> {
  return createDatabase(serverUrl, 'template0');
}

/** Creates the template that `cloneDatabase` copies. It is called once per server; for that of the test run, by `setUpRun`. */
export async function makeTemplate(serverUrl: string, log: Logger): Promise<void> {
  await onServer(serverUrl, (server) => server.query(`create database ${TEMPLATE}`));
  await migrate({ url: withDatabase(serverUrl, TEMPLATE), log });
}

async function createDatabase(serverUrl: string, template: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, (server) => server.query(`create database ${name} template ${template} strategy file_copy`));
  const url = withDatabase(serverUrl, name);
  const db = openDatabase({ url, log: createLogger({ level: 'silent' }) });
  return {
    url,
    db,
    dump: () => dumpTables(db),
    [Symbol.asyncDispose]: async () => {
      await db.destroy();
      await onServer(serverUrl, (server) => server.query(`drop database ${name} with (force)`));
    },
  };
}

/** Returns every table of every schema as text, read by `COPY … TO STDOUT`. */
export async function dumpTables(db: Knex): Promise<string> {
  const { rows }: { rows: { name: string }[] } = await db.raw(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1`);
  const client: pg.Client = await db.client.acquireConnection();
  try {
    const parts: string[] = [];
    for (const { name } of rows) parts.push(`-- ${name}\n`, await copyOut(client, name));
    return parts.join('');
  } finally {
    await db.client.releaseConnection(client);
  }
}

function copyOut(client: pg.Client, table: string): Promise<string> {
  const query = new CopyOut(`copy (select * from ${table}) to stdout`);
  return new Promise((resolve, reject) => {
    query.once('error', reject);
    query.once('end', () => resolve(Buffer.concat(query.chunks).toString('utf8')));
    client.query(query);
  });
}

/** A query that keeps the rows that `COPY … TO STDOUT` returns; `pg.Query` discards them. */
class CopyOut extends pg.Query {
  readonly chunks: Buffer[] = [];

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.chunks.push(chunk);
  }
}

async function onServer(url: string, work: (server: pg.Client) => Promise<unknown>): Promise<void> {
  const server = new pg.Client({ connectionString: url });
  await server.connect();
  try {
    await work(server);
  } finally {
    await server.end();
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function testServerUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('no database for tests: run them with `npm test -- <file>`, which starts one');
  return url;
}
