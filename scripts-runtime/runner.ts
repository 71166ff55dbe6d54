import { DEFAULT_LIMITS, MAX_ERROR_BYTES, MEMORY_CHECK_MS, MIN_MEMORY_MB, type RunLimits } from './limits.ts';
import { type ChildMessage, FAULT_CAUSES, FrameFault, FrameReader, frame, type HostMessage, type RunInput } from './protocol.ts';
import { canReadResidentMemory, residentBytes } from './resident-memory.ts';
import { RunState } from './run-state.ts';
import type { RunnerProcess } from './runner-process.ts';
import type { Kill, ScriptOutcome, ScriptRun } from './script-run.ts';

const MEBIBYTE = 1024 * 1024;
/** The time limit for disposing of the isolate after a run, which takes about a millisecond. */
const IDLE_TIMEOUT_MS = 1_000;
/** The time limit for starting a process, and for creating an isolate in it; both may take a while on a busy machine. */
const START_TIMEOUT_MS = 10_000;
/** If a process exits by itself after using more than this fraction of its memory limit, the cause is `memory`. */
const FULL = 0.5;

export interface RunnerEvents {
  /** Called when the runner is ready for a run, at first and after each one. */
  readonly onIdle: (runner: Runner) => void;
  /** Called once, when the runner was killed or has exited and takes no more runs. */
  readonly onExit: (runner: Runner) => void;
}

export interface RunnerOptions extends RunnerEvents {
  readonly process: RunnerProcess;
  /** JSON: the service's own code for each isolate (`Program`). */
  readonly guest: string;
  /** `reported`: the child reports its own memory, where the kernel's figures cannot be read. */
  readonly memoryReading: 'kernel' | 'reported';
}

export const defaultMemoryReading: RunnerOptions['memoryReading'] = canReadResidentMemory ? 'kernel' : 'reported';

/** A run whose input has been serialized. */
export interface PreparedRun {
  readonly run: ScriptRun;
  readonly limits: RunLimits;
  /** The body of the message `run`. */
  readonly body: string;
}

/** @throws TypeError if the arguments are not plain data */
export function prepare(run: ScriptRun): PreparedRun {
  const limits = { ...DEFAULT_LIMITS, ...run.limits };
  const input: RunInput = { source: run.source, input: JSON.stringify({ facts: run.facts, args: run.args, limits }) };
  return { run, limits, body: JSON.stringify(input) };
}

interface Current {
  readonly state: RunState;
  readonly limits: RunLimits;
  readonly baseBytes: number;
  peakBytes: number;
  readonly finish: (outcome: Omit<ScriptOutcome, 'waitedMs'>) => void;
  readonly memoryWatch: NodeJS.Timeout;
  /** The timer that kills the process: until the isolate exists, for `START_TIMEOUT_MS`; then for the run's timeout. */
  clock: NodeJS.Timeout;
}

/** One child process. It runs one script at a time, and is killed when it violates a limit or the protocol. */
export class Runner {
  /** The number of runs so far; the host replaces a runner after some of them. */
  runs = 0;
  /** The environment of the last run; its next run is preferably executed here again. */
  environmentKey: string | undefined;
  /** Bytes of resident memory when the runner became ready; the host replaces a runner that has grown since. */
  idleBytes = 0;
  isReady = false;
  readonly #options: RunnerOptions;
  readonly #reader = new FrameReader((header) => this.#bodyLimit(header));
  #current: Current | undefined;
  #reportedBytes = 0;
  #isGone = false;
  #isIdle = false;
  #deadline: NodeJS.Timeout;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#deadline = setTimeout(() => this.kill(), START_TIMEOUT_MS);
    const { stdin, stdout, exited } = options.process;
    void exited.then(() => this.#onExit());
    stdin.on('error', () => this.kill());
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#send({ type: 'start', reportsMemory: options.memoryReading === 'reported' }, options.guest);
  }

  get pid(): number | undefined {
    return this.#options.process.pid;
  }

  /** Resolves when the process has exited, with what it wrote on stderr. */
  get exited(): Promise<string> {
    return this.#options.process.exited;
  }

  /** Bytes of resident memory now, or as last reported. */
  memoryBytes(): number {
    if (this.#options.memoryReading === 'reported') return this.#reportedBytes;
    return (this.pid === undefined ? undefined : residentBytes(this.pid)) ?? 0;
  }

  /** Never rejects. Resolves when the outcome is known; `onIdle` or `onExit` follow. */
  run({ run, limits, body }: PreparedRun): Promise<Omit<ScriptOutcome, 'waitedMs'>> {
    this.runs += 1;
    this.#isIdle = false;
    this.environmentKey = run.environmentKey;
    return new Promise((finish) => {
      const cancel = () => this.kill(causeOfAbort(run.signal, 'timeout'));
      run.signal?.addEventListener('abort', cancel, { once: true });
      const state = new RunState(run, limits, {
        respond: (id, ok, body) => this.#send({ type: 'response', id, ok }, body),
        kill: (cause) => this.kill(cause),
      });
      const clock = setTimeout(() => this.kill(), START_TIMEOUT_MS);
      const memoryWatch = setInterval(() => this.#watchMemory(), MEMORY_CHECK_MS);
      const done = (outcome: Omit<ScriptOutcome, 'waitedMs'>) => {
        run.signal?.removeEventListener('abort', cancel);
        finish(outcome);
      };
      const bytes = this.memoryBytes();
      this.#current = { state, limits, baseBytes: bytes, peakBytes: bytes, finish: done, memoryWatch, clock };
      this.#send({ type: 'run', entry: run.entry, memoryMb: Math.max(limits.memoryMb, MIN_MEMORY_MB) }, body);
    });
  }

  /**
   * Kills the process and ends its run with this cause, without waiting for the exit: the code does not run any more, but the
   * exit of a process of low priority may take long on a busy machine.
   */
  kill(cause: Kill = 'crashed'): void {
    this.#options.process.kill();
    this.#leave();
    this.#finish({ status: 'killed', cause });
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearTimeout(this.#deadline);
    this.#current?.state.stop();
    this.#options.onExit(this);
  }

  /** Handles the exit of the process, which may have been killed already: then nothing is left to do. */
  #onExit(): void {
    this.#leave();
    const { peakBytes = 0, baseBytes = 0, limits } = this.#current ?? {};
    const isFull = limits !== undefined && peakBytes - baseBytes > FULL * limits.memoryMb * MEBIBYTE;
    this.#finish({ status: 'killed', cause: isFull ? 'memory' : 'crashed' });
  }

  #finish(ending: Pick<ScriptOutcome, 'status' | 'cause' | 'result' | 'error'>): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    clearTimeout(current.clock);
    clearInterval(current.memoryWatch);
    const { state, peakBytes, baseBytes, finish } = current;
    state.stop();
    const memoryMb = Math.round(((peakBytes - baseBytes) / MEBIBYTE) * 10) / 10;
    finish({ ...ending, durationMs: Math.round(state.durationMs * 10) / 10, memoryMb, log: state.log });
  }

  #read(chunk: Buffer): void {
    if (this.#isGone) return;
    try {
      for (const [header, body] of this.#reader.read(chunk)) {
        const message = readHeader(header);
        if (message === undefined || !this.#expects(message)) throw new FrameFault(undefined);
        this.#receive(message, body);
        if (this.#isGone) return;
      }
    } catch (error) {
      this.kill(causeOf(error));
    }
  }

  /**
   * Returns whether this message may come now. Otherwise a compromised child could keep this process busy between runs, when no
   * timeout applies.
   */
  #expects({ type }: ChildMessage): boolean {
    if (type === 'ready') return !this.isReady;
    if (type === 'memory') return this.#options.memoryReading === 'reported';
    if (type === 'begun') return this.#current?.state.hasBegun === false;
    return type === 'idle' ? this.isReady && !this.#isIdle : this.#current !== undefined;
  }

  #receive(message: ChildMessage, body: string): void {
    if (message.type === 'ready') this.#becomeReady();
    else if (message.type === 'memory') this.#reportedBytes = message.bytes;
    else if (message.type === 'idle') this.#becomeIdle();
    else if (message.type === 'begun') this.#beginRun();
    else this.#current?.state.receive(message, body);
    const ending = this.#current?.state.ending;
    if (ending === undefined) return;
    this.#watchMemory();
    if (this.#isGone) return;
    this.#finish(ending);
    this.#deadline = setTimeout(() => this.kill(), IDLE_TIMEOUT_MS);
  }

  #becomeReady(): void {
    clearTimeout(this.#deadline);
    this.isReady = true;
    this.#isIdle = true;
    this.idleBytes = this.memoryBytes();
    this.#options.onIdle(this);
  }

  /**
   * Starts the time limit of a run when its isolate exists, because the time that a busy machine takes to create it is not the
   * script's fault.
   */
  #beginRun(): void {
    const current = this.#current;
    if (current === undefined) return;
    clearTimeout(current.clock);
    current.state.begin();
    current.clock = setTimeout(() => this.kill('timeout'), current.limits.timeoutMs);
  }

  #becomeIdle(): void {
    if (this.#current !== undefined) {
      this.kill('crashed');
      return;
    }
    this.#isIdle = true;
    clearTimeout(this.#deadline);
    this.#options.onIdle(this);
  }

  #watchMemory(): void {
    const current = this.#current;
    if (current === undefined) return;
    const bytes = this.memoryBytes();
    current.peakBytes = Math.max(current.peakBytes, bytes);
    if (bytes - current.baseBytes > current.limits.memoryMb * MEBIBYTE) this.kill('memory');
  }

  #bodyLimit(header: unknown): number {
    const limits = this.#current?.limits;
    const type = readHeader(header)?.type;
    if (limits === undefined) return 0;
    if (type === 'done') return limits.resultBytes;
    if (type === 'call') return limits.callBytes;
    // A character may take six bytes in JSON, and a message comes with its facts.
    return type === 'log' ? limits.logLineLength * 16 : MAX_ERROR_BYTES;
  }

  #send(message: HostMessage, body: string): void {
    if (!this.#isGone) this.#options.process.stdin.write(frame(message, body));
  }
}

/**
 * Returns the cause of an abort: `late` if the time of the caller is over, because then the run took too long, otherwise
 * `cancelled`.
 */
export function causeOfAbort<C>(signal: AbortSignal | undefined, late: C): C | 'cancelled' {
  const reason: unknown = signal?.reason;
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? late : 'cancelled';
}

function causeOf(error: unknown): Kill {
  const type = error instanceof FrameFault ? readHeader(error.header)?.type : undefined;
  if (type === 'done') return 'result_too_large';
  return type === 'call' ? 'call_too_large' : 'too_many_messages';
}

/** Validates a header, because a child whose isolate was broken out of may send anything. */
function readHeader(header: unknown): ChildMessage | undefined {
  if (typeof header !== 'object' || header === null) return undefined;
  const message = header as Readonly<Record<string, unknown>>;
  const { type, id, name, cause, bytes } = message;
  if (type === 'ready' || type === 'begun' || type === 'log' || type === 'done' || type === 'idle') return { type };
  if (type === 'call' && Number.isSafeInteger(id) && typeof name === 'string') return { type, id: Number(id), name };
  if (type === 'memory' && typeof bytes === 'number') return { type, bytes };
  const known = FAULT_CAUSES.find((one) => one === cause);
  return type === 'failed' && known !== undefined ? { type, cause: known } : undefined;
}
