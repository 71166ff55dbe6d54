import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type FakeApplication, startFakeApplication } from './fake-application.ts';
import { freePort } from './free-port.ts';
import { createHook, type Hook, makeHooked } from './hooked.ts';
import { type Client, client } from './http-client.ts';
import { type ServiceProcess, startService } from './processes.ts';
import { newServiceEnv } from './service-env.ts';

interface WalkOptions {
  /** The URL of the database. Without one, the service starts its own database server. */
  readonly databaseUrl?: string;
  /** Environment variables for the first process only. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Everything that a provider's deliveries pass through: a real service with all its parts, and the application that receives the
 * webhooks.
 */
export class WebhookWalk implements AsyncDisposable {
  readonly application: FakeApplication;
  readonly dataDir: string;
  readonly url: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #port: number;
  readonly #opened: AsyncDisposableStack;
  #service: ServiceProcess | undefined;

  private constructor(given: {
    application: FakeApplication;
    dataDir: string;
    env: Readonly<Record<string, string>>;
    port: number;
    opened: AsyncDisposableStack;
  }) {
    this.application = given.application;
    this.dataDir = given.dataDir;
    this.url = `http://127.0.0.1:${given.port}`;
    this.#env = given.env;
    this.#port = given.port;
    this.#opened = given.opened;
  }

  static async open({ databaseUrl, env: first = {} }: WalkOptions = {}): Promise<WebhookWalk> {
    await using opened = new AsyncDisposableStack();
    const application = opened.use(await startFakeApplication());
    const hooked = opened.use(await makeHooked());
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-webhooks-'));
    opened.defer(() => rm(dataDir, { recursive: true, force: true }));
    const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
    const env = { ...newServiceEnv(), ...hooked.env, ...database, SVC_DATA_DIR: dataDir, SVC_LOG_LEVEL: 'warn' };
    const walk = new WebhookWalk({ application, dataDir, env, port: await freePort(), opened: opened.move() });
    await walk.start(first);
    return walk;
  }

  /** The process of the service that was started last. */
  get service(): ServiceProcess {
    if (this.#service === undefined) throw new Error('no service was started');
    return this.#service;
  }

  /** Starts the service in a new process at the same address. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#service = await startService({ env: { ...this.#env, ...env }, port: this.#port });
  }

  /** A client with the full-access key. */
  get api(): Client {
    return client(this.url, this.#env['SVC_BOOTSTRAP_API_KEY']);
  }

  /** Kills the process, as a power cut would. */
  async kill(): Promise<void> {
    this.service.signal('SIGKILL');
    await this.service.exit;
  }

  /**
   * Creates an integration whose deliveries are forwarded to the application.
   *
   * @param databaseUrl the URL of the service's database
   */
  async hook(databaseUrl: string): Promise<Hook> {
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    try {
      const { rows } = await database.query('update environments set webhook_url = $1 where id = 1 returning uuid', [
        this.application.url,
      ]);
      return await createHook(this.api, rows[0].uuid);
    } finally {
      await database.end();
    }
  }

  /** Returns the values of `webhook-id` that the application has received, by the number of the provider's delivery. */
  received(): ReadonlyMap<number, ReadonlySet<string>> {
    const ids = new Map<number, Set<string>>();
    for (const { body, headers } of this.application.ledger.entries) {
      const { number } = JSON.parse(body.toString()).payload;
      ids.set(number, (ids.get(number) ?? new Set()).add(String(headers['webhook-id'])));
    }
    return ids;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service?.stop();
    await this.#opened.disposeAsync();
  }
}
