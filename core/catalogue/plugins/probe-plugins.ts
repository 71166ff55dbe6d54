import { Worker } from 'node:worker_threads';

const THREAD = new URL('./probe-thread.ts', import.meta.url);
/** Time limit of one import; well-behaved plugins take a few milliseconds. */
const IMPORT_LIMIT_MS = 4_000;
/** Time limit for starting the thread, which may be slow on a busy machine. */
const START_LIMIT_MS = 15_000;
const HEAP_MB = 256;

export interface ProbeTask {
  /** Directories of plugins, in which `#contract` must resolve. */
  readonly dirs: readonly string[];
  /** URLs of modules, imported one after the other. */
  readonly modules: readonly string[];
}

/**
 * Imports modules in a thread that can be sacrificed: at the top of a module, a `while (true)` would block the whole service, and
 * a `process.exit()` would end it. Errors that modules throw are ignored here, since the real import reports them.
 *
 * @returns for each module that must not be imported, the reason
 */
export async function probePlugins({ dirs, modules }: ProbeTask): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>();
  let rest = modules;
  while (rest.length > 0) {
    const { imported, reason } = await probeInThread({ dirs, modules: rest });
    const culprit = rest[imported];
    if (reason !== undefined && culprit !== undefined) faults.set(culprit, reason);
    rest = rest.slice(imported + 1);
  }
  return faults;
}

interface ProbeResult {
  /** How many modules have been imported, including those that threw an error. */
  readonly imported: number;
  /** Why the next module was not imported; undefined when there is no next one. */
  readonly reason?: string;
}

async function probeInThread(task: ProbeTask): Promise<ProbeResult> {
  const thread = new Worker(THREAD, {
    workerData: task,
    // The output is not shown: modules print it again when they are really imported.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  try {
    return await watch(thread, task.modules.length);
  } finally {
    await thread.terminate();
  }
}

function watch(thread: Worker, count: number): Promise<ProbeResult> {
  const { promise, resolve } = Promise.withResolvers<ProbeResult>();
  let imported = 0;
  const late = () =>
    resolve({ imported, reason: `was not loaded within ${IMPORT_LIMIT_MS / 1000} s: it loops or waits at its top` });
  let timer = setTimeout(late, START_LIMIT_MS);
  thread.on('message', (message: 'begins' | 'ended') => {
    clearTimeout(timer);
    if (message === 'ended') imported += 1;
    if (imported === count) resolve({ imported });
    else timer = setTimeout(late, message === 'begins' ? IMPORT_LIMIT_MS : START_LIMIT_MS);
  });
  thread.on('error', (error) => resolve({ imported, reason: `fails as soon as it is loaded: ${messageOf(error)}` }));
  thread.on('exit', () => resolve({ imported, reason: 'ends the process when it is loaded' }));
  return promise.finally(() => clearTimeout(timer));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it threw something that is not an Error';
}
