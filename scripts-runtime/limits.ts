const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** What one run may use. The parent enforces every limit; the guest keeps to some of them first, so that a mistake reads well. */
export interface RunLimits {
  /** Wall clock from the start of the run to its end. */
  readonly timeoutMs: number;
  /** Growth of the runner's resident memory since the start of the run, and the limit of the isolate's heap. At least 8. */
  readonly memoryMb: number;
  /** UTF-8 bytes of the JSON of what the script returns. */
  readonly resultBytes: number;
  /** UTF-8 bytes of the JSON of the arguments of one call of a host function. */
  readonly callBytes: number;
  /** UTF-8 bytes of the JSON that one host function answers; a larger answer becomes an error in the script. */
  readonly answerBytes: number;
  /** Calls of host functions in the whole run. */
  readonly calls: number;
  /** Calls of host functions that may be open at a time; with `answerBytes` this bounds what the parent holds for a run. */
  readonly openCalls: number;
  /** Timers that may be set at a time. */
  readonly openTimers: number;
  /** Lines of the log; what comes later is dropped, with a mark. */
  readonly logLines: number;
  /** Characters of one line's message, and of the JSON of its facts; what is longer is cut, with a mark. */
  readonly logLineLength: number;
}

export const DEFAULT_LIMITS: RunLimits = {
  timeoutMs: 30_000,
  memoryMb: 64,
  resultBytes: MEBIBYTE,
  callBytes: MEBIBYTE,
  answerBytes: 4 * MEBIBYTE,
  calls: 10_000,
  openCalls: 20,
  openTimers: 100,
  logLines: 500,
  logLineLength: 4 * KIBIBYTE,
};

/** Nothing that a script makes is nested deeper: those who read it later may well be recursive. */
export const MAX_DEPTH = 100;

/** The frame of a message without its body: a kind and a few numbers. */
export const MAX_HEADER_BYTES = 4 * KIBIBYTE;

/** An error's text and stack, after the guest has cut them. */
export const MAX_ERROR_BYTES = 64 * KIBIBYTE;

/** The parent looks this often; a process can touch some ten megabytes in the meantime. */
export const MEMORY_CHECK_MS = 20;

/** V8 behaves badly under tiny heaps, and isolated-vm refuses less. */
export const MIN_MEMORY_MB = 8;
