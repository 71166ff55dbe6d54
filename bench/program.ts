import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** A program of `bench/programs` in its own process, listening on a port. */
export class Program implements AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.port = port;
  }

  /** @param env default: that of this process */
  static async start(name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = process.env): Promise<Program> {
    const child = spawn(process.execPath, [pathOf(name), ...args], { stdio: ['ignore', 'pipe', 'inherit'], env });
    const [line] = await once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(20_000) });
    return new Program(child, Number(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endChild(this.#child);
  }
}

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** In all, spread evenly; absent: as many as the other side takes. */
  readonly requestsPerSecond?: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes each request a POST. */
  readonly body?: string;
  /** A header that has another value in each request. */
  readonly idHeader?: string;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Only for loads of a fixed rate. */
  readonly latenciesMs: readonly number[];
}

/** Runs the load generator to its end, in a process of its own. */
export async function putLoad(load: Load): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [pathOf('load'), JSON.stringify(load)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
}

function pathOf(name: string): string {
  return new URL(`./programs/${name}.ts`, import.meta.url).pathname;
}
