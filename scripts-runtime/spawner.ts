import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { platform } from 'node:os';
import { fileURLToPath } from 'node:url';
import { withoutInheritedHandles } from './inherited-handles.ts';
import { type RunnerProcess, type Streams, startRunner } from './runner-process.ts';

const PROGRAM = fileURLToPath(new URL('spawner-process.ts', import.meta.url));
/** Node can hand pipes to another process everywhere else. */
const canHandOver = platform() !== 'win32';

/** One that does not listen any more is killed. */
const CLOSE_MS = 2_000;

/** What the spawner is told. */
export type Order =
  | { readonly type: 'start'; readonly id: number; readonly arguments: readonly string[] }
  | { readonly type: 'lower' | 'kill'; readonly id: number };

/** What it answers. With `started` comes the handle of the runner's standard input, with `stdout` that of its output. */
export type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'started'; readonly id: number; readonly pid: number }
  | { readonly type: 'stdout'; readonly id: number }
  | { readonly type: 'ended'; readonly id: number; readonly complaint: string };

/**
 * Starts runners without holding up this process.
 *
 * To start a process is to copy the page tables of the one that starts it: some 15 ms for a service of 150 MB, in which it
 * answers nobody. Scripts that have to be killed would make that happen many times a second. So a small process of its own
 * starts those that take the place of others; the first ones are started here, as a pool that loses none needs no more.
 */
export class Spawner {
  /** How many are still started here. */
  #left: number;
  #process: SpawnerProcess | undefined;

  /** @param firsts runners that are started before any takes another's place */
  constructor(firsts: number) {
    this.#left = firsts;
  }

  /** @throws what the system refuses at once */
  start(args: readonly string[]): RunnerProcess {
    if (this.#process?.isReady === true) return this.#process.start(args);
    this.#left -= 1;
    if (this.#left < 0 && canHandOver && this.#process === undefined) this.#open();
    return startRunner(args, 'own');
  }

  /** Ends the runners that are left, too. */
  async close(): Promise<void> {
    await this.#process?.close();
  }

  #open(): void {
    const opened = new SpawnerProcess();
    this.#process = opened;
    void opened.gone.then(() => {
      this.#process = undefined;
    });
  }
}

class SpawnerProcess {
  isReady = false;
  /** Resolves when it has ended or could not be started, and its runners with it. */
  readonly gone: Promise<void>;
  readonly #process: ChildProcess;
  readonly #runners = new Map<number, RemoteRunner>();
  #lastId = 0;

  /** @throws what the system refuses at once */
  constructor() {
    // Detached: its runners share its session. And what a terminal sends to all of its processes is for the service, which ends
    // its runners in its own time.
    const place = { env: {}, cwd: '/', detached: true } as const;
    this.#process = withoutInheritedHandles(['ignore', 'ignore', 'ignore', 'ipc'], (stdio) =>
      spawn(process.execPath, [PROGRAM], { ...place, stdio }),
    );
    this.#process.on('message', (report: Report, handle) => this.#hear(report, handle as Socket | undefined));
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#process.on('error', resolve);
    this.#process.once('exit', resolve);
    this.gone = promise.then(() => {
      // First: those who lose a runner ask for another one at once.
      this.isReady = false;
      for (const runner of this.#runners.values()) runner.orphan();
      this.#runners.clear();
    });
  }

  start(args: readonly string[]): RunnerProcess {
    this.#lastId += 1;
    const id = this.#lastId;
    const runner = new RemoteRunner((type) => this.#tell({ type, id }));
    this.#runners.set(id, runner);
    this.#tell({ type: 'start', id, arguments: args });
    return runner;
  }

  async close(): Promise<void> {
    if (this.#process.connected) this.#process.disconnect();
    const late = setTimeout(() => this.#process.kill('SIGKILL'), CLOSE_MS);
    await this.gone;
    clearTimeout(late);
  }

  #tell(order: Order): void {
    // One that has just died says so by itself, and then its runners are ended.
    if (this.#process.connected) this.#process.send(order, () => {});
  }

  #hear(report: Report, handle: Socket | undefined): void {
    if (report.type === 'ready') {
      this.isReady = true;
      return;
    }
    const runner = this.#runners.get(report.id);
    if (runner === undefined) handle?.destroy();
    if (report.type === 'started') runner?.takeInput(report.pid, handle);
    else if (report.type === 'stdout') runner?.takeOutput(handle);
    else {
      this.#runners.delete(report.id);
      runner?.end(report.complaint);
    }
  }
}

class RemoteRunner implements RunnerProcess {
  pid: number | undefined;
  readonly #tell: (type: 'lower' | 'kill') => void;
  readonly #streams = Promise.withResolvers<Streams>();
  readonly #ended = Promise.withResolvers<string>();
  readonly streams = this.#streams.promise;
  readonly ended = this.#ended.promise;
  #stdin: Socket | undefined;
  #stdout: Socket | undefined;

  constructor(tell: (type: 'lower' | 'kill') => void) {
    this.#tell = tell;
  }

  lower(): void {
    this.#tell('lower');
  }

  /** By the process that will be told of its end: for anybody else its ID may already be somebody else's. */
  kill(): void {
    this.#tell('kill');
  }

  takeInput(pid: number, stdin: Socket | undefined): void {
    this.pid = pid;
    this.#stdin = stdin;
  }

  takeOutput(stdout: Socket | undefined): void {
    this.#stdout = stdout;
    if (this.#stdin !== undefined && stdout !== undefined) this.#streams.resolve({ stdin: this.#stdin, stdout });
  }

  end(complaint: string): void {
    this.#stdin?.destroy();
    this.#stdout?.destroy();
    this.#ended.resolve(complaint);
  }

  /** Nobody else can end it any more, or tell its end. */
  orphan(): void {
    try {
      if (this.pid !== undefined) process.kill(this.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    this.end('the process that started it has ended');
  }
}
