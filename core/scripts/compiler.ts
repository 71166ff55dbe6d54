import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { ServiceError } from '../errors.ts';
import type { Compiled, ScriptSource } from './compile.ts';
import { faultText, type SourceFault } from './source-fault.ts';

const THREAD = new URL('./compile-thread.ts', import.meta.url);
/** Time limit of a compilation; ordinary sources take some tens of milliseconds. */
const TIME_LIMIT_MS = 5_000;
const HEAP_MB = 256;
const PARALLEL = 2;

export type CompileResult = { readonly compiled: Compiled } | { readonly faults: readonly SourceFault[] };

const TOO_EXPENSIVE: CompileResult = {
  faults: [{ code: 'source_not_readable', message: 'it cannot be parsed: that takes too long or too much memory' }],
};

/**
 * Compiles scripts, each in a disposable thread: two hundred characters of TypeScript can occupy the parser for a minute, and a
 * deeply nested source makes it unusable.
 */
export class Compiler {
  readonly #limit = pLimit(PARALLEL);
  /** The last compilation of each environment. */
  readonly #last = new Map<number, Promise<unknown>>();
  readonly #timeLimitMs: number;

  constructor({ timeLimitMs = TIME_LIMIT_MS }: { readonly timeLimitMs?: number } = {}) {
    this.#timeLimitMs = timeLimitMs;
  }

  /**
   * @param environmentId the environment of the source; its sources are compiled one at a time
   * @throws ServiceError `invalid_body` if the source is not a valid script, with a detail at `source` for each fault
   */
  async compile(source: ScriptSource, environmentId = 0): Promise<Compiled> {
    const result = await this.#inTurn(environmentId, () => this.#limit(() => inThread(source, this.#timeLimitMs)));
    if ('compiled' in result) return result.compiled;
    const [first, ...more] = result.faults.map(faultText);
    throw new ServiceError('invalid_body', `the script does not compile: ${first}${more.length > 0 ? ', and more' : ''}`, {
      details: result.faults.map((fault) => ({ code: fault.code, message: faultText(fault), path: ['source'] })),
    });
  }

  /** Runs the compilations of an environment one at a time. */
  async #inTurn<T>(environmentId: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(environmentId);
    const mine = before === undefined ? work() : before.then(work, work);
    this.#last.set(environmentId, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(environmentId) === mine) this.#last.delete(environmentId);
    }
  }
}

async function inThread(source: ScriptSource, timeLimitMs: number): Promise<CompileResult> {
  const thread = new Worker(THREAD, {
    workerData: source,
    env: {},
    // The type stripper prints an experimental warning, on the thread's own streams.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  try {
    const [result] = await once(thread, 'message', { signal: AbortSignal.timeout(timeLimitMs) });
    return result;
  } catch (error) {
    if (isTooExpensive(error)) return TOO_EXPENSIVE;
    throw error;
  } finally {
    await thread.terminate();
  }
}

function isTooExpensive(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ABORT_ERR' || error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
