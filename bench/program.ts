import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** A running program of `bench/programs`, in its own process, which listens on a port. */
export class Program implements AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.port = port;
  }

  /** @param env the environment of the process; default: that of this process */
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
  /** The total rate, spread evenly. Without it, the load is as high as the other side accepts. */
  readonly requestsPerSecond?: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes each request a POST. */
  readonly body?: string;
  /** The name of a header that has another value in each request. */
  readonly idHeader?: string;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** The latency of each request; empty unless the load has a fixed rate. */
  readonly latenciesMs: readonly number[];
}

/** Runs the load generator to its end, in its own process. */
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
