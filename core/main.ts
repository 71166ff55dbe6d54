import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { healthRoutes } from './api/health.ts';
import { routes } from './api/routes.ts';
import { readConfig } from './config/read.ts';
import type { Config } from './config/schema.ts';
import { armKillPoint } from './kit/kill-point.ts';
import { createLogger, type Logger } from './kit/logger.ts';
import { terminalWriter } from './kit/terminal-log.ts';
import { prepareFirstAdmin } from './operate/first-admin.ts';
import { apiKeyFile, firstStart } from './operate/first-start.ts';
import { startMaintenance } from './operate/maintenance.ts';
import { whenDatabaseResponds } from './operate/patient-start.ts';
import { ProcessEnd } from './operate/process-end.ts';
import { explain } from './operate/start-fault.ts';
import { openStorage, type Storage } from './operate/storage.ts';
import { createApp } from './server/app.ts';
import type { Route } from './server/route.ts';
import { listen, type RunningServer } from './server/server.ts';
import { openServices, type Services } from './services.ts';

/** For running requests to end. What follows, such as the database's own end, has to fit into the deadline (`process-end.ts`). */
const DRAIN_MS = 25_000;
/** How long new requests are still answered, so that load balancers learn from `/ready` first. */
const NOTICE_MS = 1_000;
const DRAINING = { ready: false, reasons: ['draining'] };

/** @returns the exit code */
async function main(): Promise<number> {
  const { config, warnings } = readConfig();
  const print = (text: string) => void process.stdout.write(text);
  const write = process.stdout.isTTY ? await terminalWriter(print) : undefined;
  const log = createLogger({ level: config.SVC_LOG_LEVEL, ...(write && { write }) });
  for (const warning of warnings) log.warn(warning);
  if (config.FAULT_AT !== undefined) armKillPoint(config.FAULT_AT);
  const end = new ProcessEnd(log);
  try {
    await serve(config, log, end.signal);
  } catch (error) {
    if (error !== end.signal.reason) throw error;
  }
  return end.exitCode;
}

/** Starts as soon as there is a database, serves until the end is asked for, and closes everything in reverse. */
async function serve(config: Config, log: Logger, signal: AbortSignal): Promise<void> {
  const patiently = <T>(step: () => Promise<T>) => whenDatabaseResponds(step, { log, signal });
  await using opened = new AsyncDisposableStack();
  const storage = opened.use(await patiently(() => openStorage(config, log)));
  opened.use(await patiently(() => start(config, { ...storage, log, signal })));
  if (process.stdout.isTTY) process.stdout.write(readyLine(config, storage.dataDir));
  if (!signal.aborted) await once(signal, 'abort');
}

type Start = Storage & { readonly log: Logger; readonly signal: AbortSignal };

/** Opens everything in order. Its disposal lets what is under way come to its end. */
async function start(config: Config, { dataDir, signal, ...given }: Start): Promise<AsyncDisposable> {
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
  // Elsewhere it would be in logs, which others read and keep.
  if (setUpAt !== undefined && process.stderr.isTTY) process.stderr.write(`Open ${setUpAt} to set up the dashboard.\n`);
  log.info('ready', { address: config.SVC_BASE_URL, port: server.port, role: config.SVC_ROLE });
  return opened.move();
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

/** For people at a terminal, who would have to look for it between the lines of the log. */
function readyLine({ SVC_BASE_URL: url, SVC_BOOTSTRAP_API_KEY: given }: Config, dataDir: string): string {
  const file = apiKeyFile(dataDir);
  const key = given === undefined ? existsSync(file) && file : 'SVC_BOOTSTRAP_API_KEY';
  return `svc is ready at ${url}${key ? `, API key in ${key}` : ''}\n`;
}

function open(config: Config, services: Services): Promise<RunningServer> {
  const served: readonly Route<Services>[] = config.SVC_ROLE === 'worker' ? healthRoutes : routes;
  const app = createApp(services, served);
  return listen({ app, port: config.PORT, host: config.HOST, log: services.log });
}

let exitCode = 1;
try {
  exitCode = await main();
} catch (error) {
  process.stderr.write(`svc: ${explain(error)}\n`);
}
// Not left to an empty event loop: a timer that a plugin forgot must not keep the process.
process.exit(exitCode);
