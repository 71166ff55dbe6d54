import { createHash, createHmac, randomUUID } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import ivm from 'isolated-vm';
import { DEFAULT_LIMITS, MEMORY_CHECK_MS } from './limits.ts';
import {
  type ChildMessage,
  type Entry,
  FAULT_CAUSES,
  type FaultCause,
  FrameReader,
  frame,
  type HostMessage,
  type RunInput,
  type ScriptFault,
} from './protocol.ts';
import { dropPrivileges } from './runner-user.ts';

/** Runs scripts, each in a new isolate. The parent enforces limits by killing this process; the isolate limits its own heap. */

const SCRIPT = 'script';
const STARTER = 'import * as script from "script"; import { begin } from "./guest.js"; begin(script);';
const MAX_MESSAGE_LENGTH = 2_000;
const MAX_STACK_LENGTH = 4_000;
const MAX_NAME_LENGTH = 100;
/** The maximum delay of `setTimeout`, which no run reaches. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const OUT_OF_MEMORY_FAULT: ScriptFault = { name: 'Error', message: 'the script exceeded its memory limit' };
const OUT_OF_MEMORY = JSON.stringify(OUT_OF_MEMORY_FAULT);
/** The fraction of its memory limit from which an isolate counts as full. */
const FULL = 0.9;
const MEBIBYTE = 1024 * 1024;
const URL_PARTS = [
  'origin',
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
];

type Guest = ivm.Reference<Record<string | number | symbol, unknown>>;

/** The sources of the guest's modules by name, each after the modules that it imports. */
let guestModules: Readonly<Record<string, string>> = {};
let current: Run | undefined;
/** The next run, whose isolate is created while the process is idle. */
let next: Run | undefined;

interface Outcome {
  readonly header: ChildMessage;
  readonly body: string;
}

/** One run in its own isolate. */
class Run {
  readonly #isolate: ivm.Isolate;
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #context: ivm.Context;
  readonly #modules = new Map<string, ivm.Module>();
  readonly #guest: Guest;
  readonly #resume: ivm.Reference<unknown>;
  readonly memoryMb: number;
  #outcome: Outcome | undefined;

  /** Does everything that does not depend on the script, ahead of time. */
  constructor(memoryMb: number) {
    this.memoryMb = memoryMb;
    this.#isolate = new ivm.Isolate({
      memoryLimit: memoryMb,
      // The isolate and its thread are unusable, so the parent kills this process.
      onCatastrophicError: () => send({ type: 'failed', cause: 'memory' }, OUT_OF_MEMORY),
    });
    this.#context = this.#isolate.createContextSync();
    for (const [name, text] of Object.entries(guestModules)) {
      this.#modules.set(name, this.#isolate.compileModuleSync(text, { filename: name }));
    }
    const guest = this.#moduleNamed('./guest.js');
    guest.instantiateSync(this.#context, (name) => this.#moduleNamed(name));
    guest.evaluateSync();
    this.#guest = guest.namespace;
    this.#guest.getSync('boot', { reference: true }).applySync(undefined, [this.#messageCallback(), native]);
    this.#resume = this.#guest.getSync('resume', { reference: true });
  }

  async perform(entry: Entry, { source, input }: RunInput): Promise<void> {
    try {
      if (await this.#load(source)) {
        const run = this.#guest.getSync('run', { reference: true });
        run.apply(undefined, [entry, input]).catch((error: unknown) => this.#onError(error));
        await this.#ended.promise;
      }
    } catch (error) {
      this.#onError(error);
    }
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.#quiet();
    if (this.#outcome !== undefined) send(this.#outcome.header, this.#outcome.body);
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }

  /** Resumes the guest with the result of a host function, or when a timer has run out. */
  resume(id: number, ok: boolean, body: string): void {
    if (this.#outcome !== undefined) return;
    this.#resume.apply(undefined, [id, ok, body]).catch((error: unknown) => {
      if (this.#isolate.isDisposed) this.#onError(error);
    });
  }

  /** @returns false if the script cannot be run; the outcome has the reason */
  async #load(source: string): Promise<boolean> {
    const script = await this.#compile(source);
    if (script === undefined) return false;
    this.#modules.set(SCRIPT, script);
    const starter = await this.#isolate.compileModule(STARTER, { filename: 'starter.js' });
    await starter.instantiate(this.#context, (name) => this.#moduleNamed(name));
    await starter.evaluate({ promise: true });
    return true;
  }

  async #compile(source: string): Promise<ivm.Module | undefined> {
    try {
      const script = await this.#isolate.compileModule(source, { filename: 'script.js' });
      const [imported] = script.dependencySpecifiers;
      if (imported === undefined) return script;
      const message = `imports are not available in scripts (${JSON.stringify(imported.slice(0, 100))}): bundle what you need`;
      this.#fail('import_refused', { name: 'Error', message });
    } catch (error) {
      if (this.#isolate.isDisposed) throw error;
      this.#fail('syntax_error', syntaxFaultOf(error));
    }
    return undefined;
  }

  #moduleNamed(name: string): ivm.Module {
    const found = this.#modules.get(name);
    if (found === undefined) throw new Error(`there is no module ${name}`);
    return found;
  }

  /** Receives messages of the guest synchronously, so that a flood of them blocks the script instead of filling memory. */
  #messageCallback(): ivm.Callback {
    return new ivm.Callback((...message: readonly unknown[]) => {
      const [type, id, name, body] = message;
      if (this.#outcome !== undefined || typeof id !== 'number' || typeof name !== 'string' || typeof body !== 'string') return;
      if (type === 'call') send({ type, id, name: name.slice(0, MAX_NAME_LENGTH) }, body);
      else if (type === 'log') send({ type }, body);
      else if (type === 'timer') this.#setTimer(id, name);
      else if (type === 'done') this.#finish({ header: { type }, body });
      else if (type === 'failed') this.#finish({ header: { type, cause: causeNamed(name) }, body });
    });
  }

  #setTimer(id: number, ms: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    if (ms === '') return;
    const wake = () => {
      this.#timers.delete(id);
      this.resume(id, true, '');
    };
    this.#timers.set(id, setTimeout(wake, Math.min(Math.max(Number(ms), 0), MAX_TIMER_MS)));
  }

  /** Ends the run after a failed call into the isolate: the isolate was disposed, or the script's top level threw. */
  #onError(error: unknown): void {
    if (this.#isolate.isDisposed) this.#fail('memory', OUT_OF_MEMORY_FAULT);
    else this.#fail('script_error', faultOf(error));
  }

  #fail(cause: FaultCause, fault: ScriptFault): void {
    this.#finish({ header: { type: 'failed', cause }, body: JSON.stringify(fault) });
  }

  #finish(outcome: Outcome): void {
    this.#outcome ??= outcome;
    this.#ended.resolve();
  }

  /**
   * Resolves when the isolate's thread is idle; if it loops, the parent's timeout ends it. A script error in a full isolate
   * counts as `memory`: V8 throws a plain error if an array's bytes do not fit, and a script can throw the same error.
   */
  async #quiet(): Promise<void> {
    const outOfMemory: Outcome = { header: { type: 'failed', cause: 'memory' }, body: OUT_OF_MEMORY };
    try {
      const { used_heap_size: used, externally_allocated_size: outside } = await this.#isolate.getHeapStatistics();
      const limit = this.memoryMb * MEBIBYTE;
      // The heap alone is no sign: garbage counts until it is collected, and a full heap ends the isolate by itself.
      const isFull = outside > limit / 2 && used + outside > FULL * limit;
      const { header } = this.#outcome ?? {};
      if (isFull && header?.type === 'failed' && header.cause === 'script_error') this.#outcome = outOfMemory;
    } catch {
      this.#outcome = outOfMemory;
    }
  }
}

/** Performs operations of Node for guests, on strings. It never throws, because a stack trace would name files of the service. */
const native = new ivm.Callback((operation: unknown, request: unknown): string => {
  try {
    return OPERATIONS[String(operation)]?.(JSON.parse(String(request) || '[]')) ?? 'null';
  } catch {
    return 'null';
  }
});

const OPERATIONS: Readonly<Record<string, (request: readonly string[]) => string>> = {
  uuid: () => randomUUID(),
  hash: ([key, data = '', encoding]) => {
    const bytes = Buffer.from(data, 'latin1');
    const hash = typeof key === 'string' ? createHmac('sha256', Buffer.from(key, 'latin1')) : createHash('sha256');
    return hash.update(bytes).digest(encoding === 'base64' || encoding === 'base64url' ? encoding : 'hex');
  },
  url: ([input = '', base]) => partsOf(new URL(input, base ?? undefined)),
  urlSet: ([href = '', part = '', value = '']) => {
    const url = new URL(href);
    if (URL_PARTS.includes(part)) Reflect.set(url, part, value);
    return partsOf(url);
  },
};

function partsOf(url: URL): string {
  return JSON.stringify(Object.fromEntries(URL_PARTS.map((part) => [part, Reflect.get(url, part)])));
}

function causeNamed(name: string): FaultCause {
  return FAULT_CAUSES.find((cause) => cause === name) ?? 'script_error';
}

/** Copies only strings from an error of the isolate, and only positions in the script from its stack. */
function faultOf(error: unknown): ScriptFault {
  if (!(error instanceof Error)) return { name: 'Thrown', message: String(error).slice(0, MAX_MESSAGE_LENGTH) };
  const places = String(error.stack)
    .slice(0, MAX_STACK_LENGTH)
    .match(/script\.js:\d+:\d+/g);
  return {
    name: error.name === 'ScriptError' ? 'Error' : error.name.slice(0, MAX_NAME_LENGTH),
    message: error.message.slice(0, MAX_MESSAGE_LENGTH),
    ...(places !== null && { stack: places.join('\n') }),
  };
}

/** Reads the position that isolated-vm appends to the message: `Unexpected token ';' [script.js:2:9]`. */
function syntaxFaultOf(error: unknown): ScriptFault {
  const { name, message } = faultOf(error);
  const place = /^(.*) \[script\.js:(\d+):(\d+)\]$/s.exec(message);
  if (place === null) return { name, message };
  return { name, message: place[1] ?? '', line: Number(place[2]), column: Number(place[3]) };
}

function send(message: ChildMessage, body?: string): void {
  process.stdout.write(frame(message, body));
}

function start(body: string, reportsMemory: boolean): void {
  dropPrivileges();
  guestModules = JSON.parse(body) as Record<string, string>;
  next = new Run(DEFAULT_LIMITS.memoryMb);
  if (reportsMemory) setInterval(() => send({ type: 'memory', bytes: process.memoryUsage.rss() }), MEMORY_CHECK_MS);
  send({ type: 'ready' });
}

async function perform(entry: Entry, memoryMb: number, input: RunInput): Promise<void> {
  const run = next?.memoryMb === memoryMb ? next : new Run(memoryMb);
  next = undefined;
  current = run;
  send({ type: 'begun' });
  await run.perform(entry, input);
  send({ type: 'idle' });
  setImmediate(() => {
    next ??= new Run(memoryMb);
  });
}

function receive(message: HostMessage, body: string): void {
  if (message.type === 'start') start(body, message.reportsMemory);
  else if (message.type === 'response') current?.resume(message.id, message.ok, body);
  else void perform(message.entry, message.memoryMb, JSON.parse(body) as RunInput);
}

// The priority is set before isolated-vm starts threads, which inherit it. It is not the lowest (19), with which a script would
// get no processor time on a busy machine and exceed its timeout.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// A terminal signals all processes of the service, but the service ends its runners itself: this one ignores them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const reader = new FrameReader(() => Number.POSITIVE_INFINITY);
process.stdin.on('data', (chunk: Buffer) => {
  for (const [message, body] of reader.read(chunk)) receive(message as HostMessage, body);
});
// The parent has exited. A normal exit would wait for a script that never ends.
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL'));
