import { existsSync } from 'node:fs';
import { healthRoutes } from './api/health.ts';
import { routes } from './api/routes.ts';
import type { Config } from './config/schema.ts';
import type { Logger } from './kit/logger.ts';
import type { Tracer } from './kit/tracing.ts';
import { prepareFirstAdmin } from './operate/first-admin.ts';
import { apiKeyFile, firstStart } from './operate/first-start.ts';
import { startMaintenance } from './operate/maintenance.ts';
import type { Storage } from './operate/storage.ts';
import { createApp } from './server/app.ts';
import type { Route } from './server/route.ts';
import { listen, type RunningServer } from './server/server.ts';
import { openServices, type Services } from './services.ts';

/**
 * Milliseconds for running requests to end. Everything that follows, such as closing the database, must fit into the deadline
 * (`process-end.ts`).
 */
const DRAIN_MS = 25_000;
/**
 * Milliseconds for which new requests are still answered, so that load balancers first learn from `/ready` that the service is
 * stopping.
 */
const NOTICE_MS = 1_000;
const DRAINING = { ready: false, reasons: ['draining'] };

type Start = Storage & { readonly log: Logger; readonly signal: AbortSignal; readonly tracer: Tracer | undefined };

/** Opens the parts of the service in order. Disposing of the result lets requests and work in progress end first. */
export async function startService(config: Config, { dataDir, signal, ...given }: Start): Promise<AsyncDisposable> {
  const { log } = given;
  await using opened = new AsyncDisposableStack();
  const services = opened.use(await openServices(config, { ...given, dataDir, signal }));
  await firstStart(services, config, dataDir);
  await services.scriptsDirectory.start();
  signal.throwIfAborted();
  const readiness = async () => (signal.aborted ? DRAINING : services.readiness());
  const server = await open(config, { ...services, readiness });
  opened.defer(() => drain(services, server));
  if (config.SVC_ROLE !== 'web') await startMaintenance(services);
  const setUpAt = await prepareFirstAdmin(services, config, dataDir);
  // The link is printed on a terminal only: otherwise it would be in logs, which others read and keep.
  if (setUpAt !== undefined && process.stderr.isTTY) process.stderr.write(`Open ${setUpAt} to set up the dashboard.\n`);
  const { version } = services;
  log.info('ready', { version, address: config.SVC_BASE_URL, port: server.port, role: config.SVC_ROLE });
  if (process.stdout.isTTY) process.stdout.write(readyLine(config, dataDir));
  return opened.move();
}

function open(config: Config, services: Services): Promise<RunningServer> {
  const served: readonly Route<Services>[] = config.SVC_ROLE === 'worker' ? healthRoutes : routes;
  const app = createApp(services, served);
  return listen({ app, port: config.PORT, host: config.HOST, log: services.log });
}

/** Returns a line for people at a terminal, who would otherwise have to find the same facts in the log. */
function readyLine({ SVC_BASE_URL: url, SVC_BOOTSTRAP_API_KEY: given }: Config, dataDir: string): string {
  const file = apiKeyFile(dataDir);
  const key = given === undefined ? existsSync(file) && file : 'SVC_BOOTSTRAP_API_KEY';
  return `svc is ready at ${url}${key ? `, API key in ${key}` : ''}\n`;
}

async function drain(services: Services, server: RunningServer): Promise<void> {
  services.refreshing.close();
  services.proxy[Symbol.dispose]();
  await Promise.all([
    server.close({ withinMs: DRAIN_MS, noticeMs: NOTICE_MS }),
    services.schedules.stop(),
    ...services.dueWorkers.map((worker) => worker.stop()),
    services.deliverer.stop(),
    services.matching.stop(),
    services.scriptQueue.stop(),
  ]);
}
