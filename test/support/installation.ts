import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { startApp, type TestApp } from './app.ts';
import { sweep } from './canaries.ts';
import { TestClock } from './clock.ts';
import type { Service } from './connect.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';
import { client } from './http-client.ts';
import { type ServiceProcess, startService } from './processes.ts';
import { newServiceEnv, type ServiceEnv } from './service-env.ts';

/** A service in a separate process, and a client that uses the full-access API key. */
export interface RealService extends Service {
  readonly process: ServiceProcess;
}

/** One database and one set of secrets, which any number of service instances share. Disposal stops all of them. */
export class Installation implements AsyncDisposable {
  readonly database: TestDatabase;
  /** The environment variables of all instances. */
  readonly env: ServiceEnv;
  readonly #clock = new TestClock();
  readonly #opened: AsyncDisposableStack;

  private constructor({ database, dataDir, opened }: { database: TestDatabase; dataDir: string; opened: AsyncDisposableStack }) {
    this.database = database;
    this.env = { ...newServiceEnv(), DATABASE_URL: database.url, SVC_DATA_DIR: dataDir };
    this.#opened = opened;
  }

  static async open(): Promise<Installation> {
    const opened = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-installation-'));
    opened.defer(() => rm(dataDir, { recursive: true, force: true }));
    return new Installation({ database: opened.use(await cloneDatabase()), dataDir, opened });
  }

  get db(): Knex {
    return this.database.db;
  }

  /** Starts an instance in the process of the test. */
  async startApp(env: Readonly<Record<string, string>> = {}): Promise<TestApp> {
    return this.#opened.use(await startApp({ env: { ...this.env, ...env }, database: this.database }));
  }

  /** Starts an instance in a separate process. It runs no schedules, so it does nothing that a test has not asked for. */
  async startProcess(env: Readonly<Record<string, string>> = {}): Promise<RealService> {
    const given = { ...this.env, SVC_ROLE: 'web', SVC_LOG_LEVEL: 'debug', ...env };
    const process = await startService({ env: given });
    this.#opened.defer(() => endProcess(process));
    return { process, url: process.url, api: client(process.url, this.env.SVC_BOOTSTRAP_API_KEY) };
  }

  /** Lets time pass for everything that depends on the database's clock, such as expiries, leases and back-offs. */
  advance(seconds: number): Promise<void> {
    return this.#clock.advance(seconds * 1000, this.db);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}

async function endProcess(process: ServiceProcess): Promise<void> {
  await process.stop();
  const hits = sweep(process.output);
  if (hits.length > 0) throw new Error(`secrets leaked: ${JSON.stringify(hits)}`);
}
