import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from './config/read.ts';
import type { Config } from './config/schema.ts';
import { armKillPoint } from './kit/kill-point.ts';
import { createLogger, type Logger } from './kit/logger.ts';
import { terminalWriter } from './kit/terminal-log.ts';
import { whenDatabaseResponds } from './operate/patient-start.ts';
import { ProcessEnd } from './operate/process-end.ts';
import { explain } from './operate/start-fault.ts';
import { openStorage } from './operate/storage.ts';
import { openTracer } from './operate/traces/open-tracer.ts';

/** Log lines of one kind in a second: an outage repeats the same line for everything that fails. */
const ALIKE_PER_SECOND = 5;
/** How long the process is idle before it exits. */
const IDLE_MS = 250;

/** Runs the service until its end. @returns the exit code */
async function main(): Promise<number> {
  const { config, warnings } = readConfig();
  const print = (text: string) => void process.stdout.write(text);
  const write = process.stdout.isTTY ? await terminalWriter(print) : undefined;
  const log = createLogger({ level: config.SVC_LOG_LEVEL, alikePerSecond: ALIKE_PER_SECOND, ...(write && { write }) });
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

/** Starts as soon as the database responds, serves until the process is asked to end, and closes everything in reverse order. */
async function serve(config: Config, log: Logger, signal: AbortSignal): Promise<void> {
  const patiently = <T>(step: () => Promise<T>) => whenDatabaseResponds(step, { log, signal });
  await using opened = new AsyncDisposableStack();
  // Closed last, so that the spans of the shutdown are exported, too.
  const tracer = opened.use(await openTracer(config, log));
  // Loading most of the code takes a second or two and blocks this thread. On a first start, creating the database takes as long,
  // in another process, so the code is loaded in that time.
  const wait = Promise.withResolvers<void>();
  const opening = patiently(() => openStorage(config, log, wait.resolve));
  await Promise.race([wait.promise, opening]);
  const { startService } = await import('./running-service.ts');
  const storage = opened.use(await opening);
  opened.use(await patiently(() => startService(config, { ...storage, log, tracer, signal })));
  if (!signal.aborted) await once(signal, 'abort');
}
let exitCode = 1;
try {
  exitCode = await main();
} catch (error) {
  process.stderr.write(`svc: ${explain(error)}\n`);
}
// A background thread that optimizes code may wait for a garbage collection by this thread, which cannot come once this thread is
// exiting and waits for that thread: the process would never end (github.com/nodejs/node/issues/54918). An idle moment lets it finish.
await pause(IDLE_MS);
// The process does not wait until the event loop is empty, because a timer that a plugin has forgotten must not keep it alive.
process.exit(exitCode);
