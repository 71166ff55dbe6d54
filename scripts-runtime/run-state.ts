import type { RunLimits } from './limits.ts';
import { plainJson } from './plain-json.ts';
import type { CallFault, ChildMessage, ScriptFault } from './protocol.ts';
import { type Kill, type LogLine, ScriptCallError, type ScriptOutcome, type ScriptRun } from './script-run.ts';

const LEVELS: readonly string[] = ['debug', 'info', 'warn', 'error'];
/** The number of characters reserved for the note that the guest appends to a truncated text. */
const MARK_LENGTH = 100;
const INTERNAL: CallFault = { code: 'internal_error', message: 'the call failed' };

type Ending = Pick<ScriptOutcome, 'status' | 'cause' | 'error' | 'result'>;

/** What a run does to the process that executes it. */
export interface RunActions {
  readonly respond: (id: number, ok: boolean, body: string) => void;
  /** Kills the process, because the run violated a limit. */
  readonly kill: (cause: Kill) => void;
}

/** The state of one run in the parent, which validates every message of the child. */
export class RunState {
  readonly #run: ScriptRun;
  readonly #limits: RunLimits;
  readonly #actions: RunActions;
  readonly #log: LogLine[] = [];
  #begunAt: number | undefined;
  readonly #stop = new AbortController();
  readonly #open = new Set<number>();
  #calls = 0;
  #ending: Ending | undefined;

  constructor(run: ScriptRun, limits: RunLimits, actions: RunActions) {
    this.#run = run;
    this.#limits = limits;
    this.#actions = actions;
  }

  get log(): readonly LogLine[] {
    return this.#log;
  }

  /** The outcome that the child has reported; undefined before, and for a run that ends because its process is killed. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  get hasBegun(): boolean {
    return this.#begunAt !== undefined;
  }

  /** Milliseconds since the isolate of the run was ready. */
  get durationMs(): number {
    return this.#begunAt === undefined ? 0 : performance.now() - this.#begunAt;
  }

  begin(): void {
    this.#begunAt = performance.now();
  }

  receive(message: ChildMessage, body: string): void {
    if (message.type === 'call') this.#onCall(message.id, message.name, body);
    else if (message.type === 'log') this.#onLog(body);
    else if (message.type === 'done') this.#end(() => ({ status: 'done', ...(body !== '' && { result: plainJson(body) }) }));
    else if (message.type === 'failed') this.#onFailure(message.cause, body);
  }

  /** Called when the run has ended: aborts its host functions, and discards their results. */
  stop(): void {
    this.#stop.abort();
  }

  #onFailure(cause: Extract<ChildMessage, { type: 'failed' }>['cause'], body: string): void {
    if (cause === 'memory' || cause === 'result_too_large') this.#actions.kill(cause);
    else this.#end(() => ({ status: 'failed', cause, error: readFault(plainJson(body)) }));
  }

  #end(read: () => Ending): void {
    if (this.#ending !== undefined) return;
    try {
      this.#ending = read();
    } catch {
      const error = { name: 'Error', message: 'the result is nested too deeply' };
      this.#ending = { status: 'failed', cause: 'result_not_plain', error };
    }
    this.stop();
  }

  #onCall(id: number, name: string, body: string): void {
    this.#calls += 1;
    const isTooMany = this.#calls > this.#limits.calls || this.#open.size >= this.#limits.openCalls || this.#open.has(id);
    if (isTooMany) this.#actions.kill('too_many_calls');
    else void this.#respond(id, this.#call(name, body));
  }

  async #respond(id: number, call: Promise<readonly [ok: boolean, body: string]>): Promise<void> {
    this.#open.add(id);
    const [ok, body] = await call;
    this.#open.delete(id);
    if (!this.#stop.signal.aborted) this.#actions.respond(id, ok, body);
  }

  /** Never rejects. */
  async #call(name: string, body: string): Promise<readonly [ok: boolean, body: string]> {
    try {
      const args = readArguments(body);
      const { hostFunctions } = this.#run;
      const hostFunction = Object.hasOwn(hostFunctions, name) ? hostFunctions[name] : undefined;
      if (hostFunction === undefined)
        throw new ScriptCallError('not_available', `${name.slice(0, 50)} is not available in this run`);
      const response = JSON.stringify(await hostFunction(args, this.#stop.signal)) ?? '';
      if (Buffer.byteLength(response) <= this.#limits.responseBytes) return [true, response];
      throw new ScriptCallError('answer_too_large', `the response is larger than ${this.#limits.responseBytes} bytes`);
    } catch (error) {
      return [false, JSON.stringify(faultOf(error))];
    }
  }

  #onLog(body: string): void {
    const { logLines, logLineLength } = this.#limits;
    const line = readLine(body);
    if (line === undefined || this.#log.length > logLines) {
      this.#actions.kill('too_many_messages');
      return;
    }
    const message = `… (cut: only the first ${logLines} lines are kept)`;
    const isLast = this.#log.length === logLines;
    const at = Math.round(this.durationMs);
    this.#log.push(isLast ? { at, level: 'warn', message } : { at, ...boundedLine(line, logLineLength) });
  }
}

function readArguments(body: string): readonly unknown[] {
  try {
    const args = plainJson(body);
    if (Array.isArray(args)) return args;
  } catch {
    // Invalid JSON is refused like JSON that is not an array.
  }
  throw new ScriptCallError('invalid_arguments', 'the arguments are not plain data');
}

function readLine(body: string): Omit<LogLine, 'at'> | undefined {
  try {
    const line = plainJson(body) as { readonly level?: unknown; readonly message?: unknown; readonly facts?: unknown } | null;
    if (typeof line?.message !== 'string' || typeof line.level !== 'string' || !LEVELS.includes(line.level)) return undefined;
    const level = line.level as LogLine['level'];
    return { level, message: line.message, ...(line.facts !== undefined && { facts: line.facts }) };
  } catch {
    return { level: 'warn', message: '(a log line that is nested too deeply)' };
  }
}

/** The guest truncates long lines, but a script's `toJSON` may return more on a second call. */
function boundedLine({ level, message, facts }: Omit<LogLine, 'at'>, length: number): Omit<LogLine, 'at'> {
  // Truncated facts are JSON inside a string, where escaping may double each character.
  const isTooLong = facts !== undefined && JSON.stringify(facts).length > 2 * (length + MARK_LENGTH);
  const kept = isTooLong ? `(cut: more than ${length} characters)` : facts;
  return { level, message: message.slice(0, length + MARK_LENGTH), ...(kept !== undefined && { facts: kept }) };
}

/** Copies only strings and numbers, whatever the child sends. */
function readFault(value: unknown): ScriptFault {
  const fault = Object(value) as Readonly<Record<keyof ScriptFault, unknown>>;
  const texts = { code: fault.code, stack: fault.stack };
  const numbers = { status: fault.status, line: fault.line, column: fault.column };
  return {
    name: typeof fault.name === 'string' ? fault.name : 'Error',
    message: typeof fault.message === 'string' ? fault.message : '',
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string')),
    ...Object.fromEntries(Object.entries(numbers).filter(([, number]) => typeof number === 'number')),
  };
}

function faultOf(error: unknown): CallFault {
  if (!(error instanceof ScriptCallError)) return INTERNAL;
  return { code: error.code, message: error.message, ...(error.status !== undefined && { status: error.status }) };
}
