import { type ChildProcess, type ForkOptions, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { size } from '../support/size.ts';
import type { FileResult } from './results.ts';
import type { Order } from './worker.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** Longer than any file takes. A file that still runs after this time hangs, in a loop or on something that was left open. */
const FILE_MS = size(5, 60) * 60_000;

export interface Work {
  readonly files: readonly string[];
  readonly workers: number;
  readonly grep?: string | undefined;
  /** The folder in which the workers run, and the user as whom they run; by default, those of this process. */
  readonly as?: Pick<ForkOptions, 'cwd' | 'env' | 'execPath' | 'uid' | 'gid'> | undefined;
  /** Called as soon as a file has ended. @returns false if no further file may begin */
  readonly ended: (result: FileResult) => boolean;
}

let started = 0;

/** Runs the files in their order, spread over `workers` processes. */
export async function runFiles({ files, workers, grep, as = {}, ended }: Work): Promise<void> {
  const queue = [...files];
  const runner = async (): Promise<void> => {
    let worker: ChildProcess | undefined;
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      worker ??= startWorker(as);
      const result = await runIn(worker, { file, grep });
      if (hasEnded(worker)) worker = undefined;
      if (!ended(result)) queue.length = 0;
    }
    if (worker === undefined) return;
    const result = await runIn(worker, { file: `the end of process ${worker.pid}`, isEnd: true });
    if (result.failed.length > 0) ended(result);
    for (const stream of [worker.stdout, worker.stderr]) stream?.destroy();
  };
  await Promise.all(Array.from({ length: Math.min(workers, files.length) }, runner));
}

function startWorker(as: Work['as']): ChildProcess {
  const { cwd = PROJECT, env = process.env, ...options } = as ?? {};
  started += 1;
  const worker = fork(join(String(cwd), 'test/runner/worker.ts'), {
    ...options,
    cwd,
    // Each worker has a different number, so that no two workers choose the same port.
    env: { ...env, TEST_WORKER: String(started) },
    // No stream of this process is inherited, because a process that a test leaves behind would keep it open.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [worker.stdout, worker.stderr])
    stream?.setEncoding('utf8').on('data', (text) => process.stdout.write(text));
  return worker;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Runs a file in a worker. If the worker ends or is killed in the middle of the file, the file has failed. */
async function runIn(worker: ChildProcess, order: Order): Promise<FileResult> {
  const gone = new AbortController();
  const abort = () => gone.abort();
  const hanging = setTimeout(() => {
    console.log(`${order.file} runs for ${FILE_MS / 60_000} minutes and is stopped. Processes that run:`);
    console.log(spawnSync('ps', ['-ef'], { encoding: 'utf8' }).stdout);
    worker.kill('SIGKILL');
  }, FILE_MS);
  worker.once('exit', abort);
  try {
    const answered = once(worker, 'message', { signal: gone.signal });
    worker.send(order);
    const [result] = await answered;
    return result;
  } catch {
    return unfinished(order.file, `its process ended (exit code ${worker.exitCode}, signal ${worker.signalCode})`);
  } finally {
    clearTimeout(hanging);
    worker.off('exit', abort);
  }
}

function unfinished(file: string, why: string): FileResult {
  const times = { total: 0, hooks: 0, sweep: 0, processors: 0 };
  return { file, passed: [], failed: [`${file} comes to its end`], skipped: [], outline: '', failures: `${file}: ${why}`, times };
}
