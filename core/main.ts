import { join } from 'node:path';
import { healthRoutes } from './api/health.ts';
import { routes } from './api/index.ts';
import { createApp } from './app.ts';
import { readConfig } from './config/read.ts';
import type { Config } from './config/schema.ts';
import { bootstrap } from './environments/bootstrap.ts';
import type { Route } from './http/route.ts';
import { listen, type RunningServer } from './http/server.ts';
import { armKillPoint } from './kit/kill-point.ts';
import { createLogger, type Logger } from './kit/logger.ts';
import { writePrivateFile } from './kit/private-file.ts';
import { startMaintenance } from './maintenance.ts';
import { openServices, type Services } from './services.ts';
import { openStorage } from './storage.ts';

/** How long running requests may take to end; what follows must fit into the 30 s that orchestrators give. */
const DRAIN_MS = 25_000;
const DEADLINE_MS = 29_000;

/** Why the process ends: asked to, or because of a fault that nobody caught. */
type End = { readonly exitCode: 0 } | { readonly exitCode: 1; readonly error: unknown };

async function main(): Promise<void> {
  const { config, warnings } = readConfig();
  const log = createLogger({ level: config.SVC_LOG_LEVEL });
  for (const warning of warnings) log.warn(warning);
  if (config.FAULT_AT !== undefined) armKillPoint(config.FAULT_AT);

  const ended = waitForEnd(log);
  await using opened = new AsyncDisposableStack();
  const storage = opened.use(await openStorage(config, log));
  const services = opened.use(await openServices(config, { ...storage, log }));
  await firstStart(config, services, storage.dataDir);
  let draining = false;
  const server = await open(config, { ...services, readiness: async () => (draining ? DRAINING : services.readiness()) });
  if (config.SVC_ROLE !== 'web') await startMaintenance(services);
  log.info('ready', { address: config.SVC_BASE_URL, port: server.port, role: config.SVC_ROLE });

  const end = await ended;
  draining = true;
  process.exitCode = end.exitCode;
  setTimeout(() => process.exit(1), DEADLINE_MS).unref();
  await server.close({ withinMs: DRAIN_MS });
}

const DRAINING = { ready: false, reasons: ['draining'] };

function open(config: Config, services: Services): Promise<RunningServer> {
  const served: readonly Route<Services>[] = config.SVC_ROLE === 'worker' ? healthRoutes : routes;
  const app = createApp(services, served);
  return listen({ app, port: config.PORT, host: config.HOST, log: services.log });
}

/** The keys of a first start go where only the operator reads; the log says where. */
async function firstStart(config: Config, services: Services, dataDir: string): Promise<void> {
  const given = { apiKey: config.SVC_BOOTSTRAP_API_KEY, accountKey: config.SVC_BOOTSTRAP_ACCOUNT_KEY };
  const files = { api: join(dataDir, 'api-key'), account: join(dataDir, 'account-key') };
  const isFirst = await bootstrap(services, given, async (keys) => {
    await writePrivateFile(files.api, `${keys.apiKey}\n`);
    await writePrivateFile(files.account, `${keys.accountKey}\n`);
  });
  if (isFirst)
    services.log.info('first start: the keys are in these files', { apiKeyFile: files.api, accountKeyFile: files.account });
}

/**
 * The first signal asks for an orderly end, the second does not wait for it. A stray exception ends the process too: its
 * state is unknown.
 */
function waitForEnd(log: Logger): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>();
  let asked = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(1);
      asked = true;
      log.info('stopping', { signal });
      resolve({ exitCode: 0 });
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.error('a stray fault: stopping', { error });
      process.exitCode = 1;
      resolve({ exitCode: 1, error });
    });
  }
  return promise;
}

try {
  await main();
} catch (error) {
  // What an operator can mend is said in one sentence; stacks are for bugs.
  process.stderr.write(`svc cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
