const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/**
 * The limits of one run. The parent enforces all of them (`runner.ts`). The isolate limits its heap as well, and the guest checks
 * some limits first, for clear error messages.
 */
export interface RunLimits {
  /** Wall clock from the start of the run to its end. */
  readonly timeoutMs: number;
  /** Growth of the runner's resident memory since the start of the run, and the limit of the isolate's heap. At least 8. */
  readonly memoryMb: number;
  /** UTF-8 bytes of the JSON of what the script returns. */
  readonly resultBytes: number;
  /** UTF-8 bytes of the JSON of the arguments of one call of a host function. */
  readonly callBytes: number;
  /** UTF-8 bytes of the JSON result of one host function; a larger one becomes an error in the script. */
  readonly responseBytes: number;
  /** Calls of host functions in the whole run. */
  readonly calls: number;
  /** Concurrent calls of host functions; with `responseBytes` this bounds the parent's memory for a run. */
  readonly openCalls: number;
  /** Concurrent timers. */
  readonly openTimers: number;
  /** Lines of the log; further ones are dropped, and a last line says so. */
  readonly logLines: number;
  /** Characters of one line's message, and of the JSON of its facts; longer ones are cut, and say so. */
  readonly logLineLength: number;
}

export const DEFAULT_LIMITS: RunLimits = {
  timeoutMs: 30_000,
  memoryMb: 64,
  resultBytes: MEBIBYTE,
  callBytes: MEBIBYTE,
  responseBytes: 4 * MEBIBYTE,
  calls: 10_000,
  openCalls: 20,
  openTimers: 100,
  logLines: 500,
  logLineLength: 4 * KIBIBYTE,
};

/** The maximum nesting of anything that a script produces, because later readers may be recursive. */
export const MAX_DEPTH = 100;

/** The maximum size of the header of a message, which has a type and a few numbers. */
export const MAX_HEADER_BYTES = 4 * KIBIBYTE;

/** The maximum size of an error's message and stack, after the guest has truncated them. */
export const MAX_ERROR_BYTES = 64 * KIBIBYTE;

/** The interval of memory checks, in which a process can allocate some ten megabytes. */
export const MEMORY_CHECK_MS = 20;

/** The minimum of isolated-vm; V8 does not work well with tiny heaps. */
export const MIN_MEMORY_MB = 8;
