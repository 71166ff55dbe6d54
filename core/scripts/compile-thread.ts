import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { compile, type ScriptSource } from './compile.ts';
import type { CompileResult } from './compiler.ts';
import { SourceError } from './source-fault.ts';

/** Compiles one source; then the thread ends. */
function compileSource(source: ScriptSource): CompileResult {
  try {
    return { compiled: compile(source) };
  } catch (error) {
    if (error instanceof SourceError) return { faults: error.faults };
    throw error;
  }
}

// On Linux this changes the priority of this thread alone; elsewhere it would change that of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
parentPort?.postMessage(compileSource(workerData as ScriptSource));
