import { routes } from '../../core/api/routes.ts';
import { readConfig } from '../../core/config/read.ts';
import type { DiskUsage } from '../../core/kit/disk-usage.ts';
import { KeyRing } from '../../core/kit/key-ring.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { newAccountKey } from '../../core/kit/random-id.ts';
import { openTracer } from '../../core/operate/traces/open-tracer.ts';
import { createApp } from '../../core/server/app.ts';
import type { Route } from '../../core/server/route.ts';
import { listen } from '../../core/server/server.ts';
import { openServices, type Services } from '../../core/services.ts';
import { bootstrap } from '../../core/tenants/environments/bootstrap.ts';
import { rememberSecret, sweep } from './canaries.ts';
import { type CheckedClient, checkedClient } from './checked-client.ts';
import { TestClock } from './clock.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { apiDocument } from './requests/operations.ts';
import { newServiceEnv } from './service-env.ts';
import { countAsSweep } from './spent.ts';
import type { TestNet } from './test-net.ts';

export interface AppOptions {
  /** Environment variables that override the defaults. The defaults allow calls to loopback. */
  readonly env?: Readonly<Record<string, string>>;
  /** A database that instances share; default: a new database. */
  readonly database?: TestDatabase;
  /** Default: a new clock. */
  readonly clock?: TestClock;
  /** Replaces the network that the service calls; default: the system's. */
  readonly net?: Pick<TestNet, 'resolve' | 'dial'>;
  /** The machine's clock, whose difference from the database's clock the service checks; default: the system's. */
  readonly machineNow?: () => number;
  /** The space of the database's disk; default: unknown. */
  readonly disk?: () => Promise<DiskUsage>;
}

/** The whole service, run in this process. Its disposal ends with a search for leaked secrets. */
export interface TestApp extends AsyncDisposable {
  readonly url: string;
  readonly clock: TestClock;
  readonly database: TestDatabase;
  readonly services: Services;
  /** The first account, or one that the suite has created. `environmentId` is that account's environment `dev`. */
  readonly accountId: number;
  readonly environmentId: number;
  /** A client with `apiKey`, which has full access to that environment. */
  readonly api: CheckedClient;
  readonly apiKey: string;
  readonly accountKey: string;
  /** The value of `SVC_ENCRYPTION_KEYS`. */
  readonly encryptionKeys: string;
  /** Creates a client whose responses are checked against the OpenAPI document, and searched for secrets at disposal. */
  client(key?: string): CheckedClient;
  /** The lines of the process log so far, each of them JSON. */
  readonly logLines: readonly string[];
}

export async function startApp({
  env = {},
  database,
  clock = new TestClock(),
  net,
  machineNow,
  disk,
}: AppOptions = {}): Promise<TestApp> {
  await using opened = new AsyncDisposableStack();
  const own = database ?? opened.use(await cloneDatabase());
  const port = Number(env['PORT'] ?? (await freePort()));
  const accountKey = rememberSecret('account key', newAccountKey());
  const given = {
    ...newServiceEnv(),
    PORT: String(port),
    SVC_BASE_URL: `http://127.0.0.1:${port}`,
    SVC_LOG_LEVEL: 'debug',
    ...env,
  };
  const { config } = readConfig(given);
  const logLines: string[] = [];
  const log = createLogger({ level: config.SVC_LOG_LEVEL, write: (line) => logLines.push(line) });
  const services = opened.use(
    await openServices(config, {
      url: own.url,
      keys: KeyRing.parse(given.SVC_ENCRYPTION_KEYS),
      ...{ log, clock, machineNow, disk, tracer: opened.use(await openTracer(config, log)) },
      now: () => clock.monotonicMs(),
      ...net,
    }),
  );
  await bootstrap(services, { apiKey: given.SVC_BOOTSTRAP_API_KEY, accountKey }, async () => undefined);
  const served: readonly Route<Services>[] = routes;
  const server = await listen({ app: createApp(services, served), port, host: '127.0.0.1', log });
  opened.defer(() => server.close({ withinMs: 2_000 }));

  const clients: CheckedClient[] = [];
  const client = (key?: string): CheckedClient => {
    const made = checkedClient(config.SVC_BASE_URL, { key, document: apiDocument });
    clients.push(made);
    return made;
  };
  opened.defer(() => countAsSweep(() => sweepApp({ services, database: own, logLines, clients })));
  const closing = opened.move();
  return {
    url: config.SVC_BASE_URL,
    clock,
    database: own,
    services,
    accountId: 1,
    environmentId: 1,
    api: client(given.SVC_BOOTSTRAP_API_KEY),
    apiKey: given.SVC_BOOTSTRAP_API_KEY,
    accountKey,
    encryptionKeys: given.SVC_ENCRYPTION_KEYS,
    client,
    logLines,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

interface SweptApp {
  readonly services: Services;
  readonly database: TestDatabase;
  readonly logLines: readonly string[];
  readonly clients: readonly CheckedClient[];
}

/** Asserts that no secret that a test has used is in the process log, the database or an error response. */
async function sweepApp({ services, database, logLines, clients }: SweptApp): Promise<void> {
  await services.activity.flush();
  const errors = clients.flatMap(({ recorded }) =>
    recorded.filter(({ status, url }) => status >= 400 && !url.includes('/proxy/')),
  );
  const hits = sweep({
    log: logLines.join('\n'),
    database: await database.dump(),
    errors: errors.map(({ text, headers }) => headers + text),
  });
  if (hits.length > 0) throw new Error(`secrets leaked: ${JSON.stringify(hits)}`);
}
