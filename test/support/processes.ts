import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { LOOPBACK_ONLY } from './loopback-only.ts';

/**
 * Matches the log line that names the file with the setup token. The service logs it soon after a start if the dashboard has no
 * admin yet.
 */
const SETUP_FILE = /"file":"(?<file>[^"]+\/setup-token)"/;

const START = fileURLToPath(new URL('../../core/start.js', import.meta.url));
/** The command by which `npm start` starts the service. */
export const PROGRAM = [process.execPath, '--max-semi-space-size=4', START];
export const DIRECTLY = [process.execPath, ...LOOPBACK_ONLY, ...PROGRAM.slice(1)];
const READY_MS = 50_000;
const STOP_MS = 30_000;
const POLL_MS = 50;
const PROBE_MS = 2_000;

export interface ServiceOptions {
  /**
   * The environment variables of the service. From the test's own environment, it gets only PATH, HOME and NODE_COMPILE_CACHE.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Default: any free port. */
  readonly port?: number;
  /** The user that the service runs as. Only a test that runs as root may choose one. Default: the user of the test. */
  readonly identity?: { readonly uid: number; readonly gid: number };
  /** The command that starts the service. Default: `DIRECTLY`, which starts Node.js without npm. */
  readonly command?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A real service in its own process. Disposal stops it as an operator would, and kills it if it does not stop in time. */
export class ServiceProcess implements AsyncDisposable {
  readonly url: string;
  readonly exit: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #printed = new Map<string, () => void>();
  #stdout = '';
  #stderr = '';

  constructor({ env, port, identity, command = DIRECTLY }: ServiceOptions & { readonly port: number }) {
    this.url = `http://127.0.0.1:${port}`;
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
    const [program = '', ...args] = command;
    this.#child = spawn(program, args, {
      ...identity,
      env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: String(port), SVC_BASE_URL: this.url, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.exit = once(this.#child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Everything that the service has printed so far, to be searched for secrets. */
  get output(): { readonly stdout: string; readonly stderr: string } {
    return { stdout: this.#stdout, stderr: this.#stderr };
  }

  /** Returns the link to the page that creates the first admin. @throws when the process ends before it has logged the link */
  async setupLink(): Promise<string> {
    while (this.#child.exitCode === null && this.#child.signalCode === null) {
      const file = SETUP_FILE.exec(this.#stdout)?.groups?.['file'];
      if (file !== undefined) return `${this.url}/setup#token=${(await readFile(file, 'utf8')).trim()}`;
      await wait(POLL_MS);
    }
    throw new Error(`no setup link was made:\n${this.#stderr}`);
  }

  /** Resolves when the service has printed the text to standard output. */
  async printed(text: string): Promise<void> {
    if (this.#stdout.includes(text)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#printed.set(text, resolve);
    await promise;
  }

  /**
   * Resolves when `/ready` responds with 200.
   *
   * @throws an error with the service's output when the process ends first or takes too long
   */
  async ready(): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while (performance.now() < deadline && this.#child.exitCode === null && this.#child.signalCode === null) {
      const response = await fetch(`${this.url}/ready`, { signal: AbortSignal.timeout(PROBE_MS) }).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.status === 200) return;
      await wait(POLL_MS);
    }
    await this.stop();
    throw new Error(`the service did not become ready:\n${this.#stdout}${this.#stderr}`);
  }

  /**
   * Resolves with the first log line whose message contains a text, as soon as the service has logged it.
   *
   * @throws when the process ends without such a line
   */
  async logged(text: string): Promise<Readonly<Record<string, unknown>>> {
    for (;;) {
      const hasEnded = this.#child.exitCode !== null || this.#child.signalCode !== null;
      if (hasEnded) await this.exit;
      for (const line of this.#stdout
        .split('\n')
        .slice(0, -1)
        .filter((text) => text.startsWith('{'))) {
        const entry = JSON.parse(line);
        if (entry.message.includes(text)) return entry;
      }
      if (hasEnded) throw new Error(`never logged "${text}":\n${this.#stdout}${this.#stderr}`);
      await wait(POLL_MS);
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends SIGTERM and waits for the end of the process. Sends SIGKILL when that takes longer than an operator would wait. */
  async stop(): Promise<Exit> {
    this.signal('SIGTERM');
    const late = setTimeout(() => this.signal('SIGKILL'), STOP_MS);
    const exit = await this.exit;
    clearTimeout(late);
    return exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #read(text: string): void {
    this.#stdout += text;
    for (const [awaited, tell] of this.#printed) if (this.#stdout.includes(awaited)) tell();
  }
}

/** Starts one service and waits until it is ready. */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const service = new ServiceProcess({ ...options, port: options.port ?? (await freePort()) });
  await service.ready();
  return service;
}

export interface Services extends AsyncDisposable {
  readonly all: readonly ServiceProcess[];
}

/**
 * Starts several instances on one database at the same time.
 *
 * @throws when any of them does not start; the others have then been stopped
 */
export async function startServices(count: number, options: Pick<ServiceOptions, 'env'>): Promise<Services> {
  const starts = await Promise.allSettled(Array.from({ length: count }, () => startService(options)));
  const running = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const stop = async () => void (await Promise.all(running.map((service) => service.stop())));
  if (running.length === count) return { all: running, [Symbol.asyncDispose]: stop };
  await stop();
  throw new AggregateError(
    starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : [])),
    'not all services started',
  );
}
