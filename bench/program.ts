import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** A program of `bench/programs`, which runs in its own process and listens on a port. */
export class Program implements AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.port = port;
  }

  /** @param env the environment variables of the process; default: those of this process */
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
  /**
   * The rate of all network connections together, at even intervals. If it is absent, each of them sends its next request as soon
   * as it has a response.
   */
  readonly requestsPerSecond?: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of each request, which is then a POST instead of a GET. */
  readonly body?: string;
  /** The name of a header whose value is different in each request. */
  readonly idHeader?: string;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** The latency of each request; empty unless the load has a fixed rate. */
  readonly latenciesMs: readonly number[];
}

/** Runs the load generator in its own process and waits until it ends. */
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
