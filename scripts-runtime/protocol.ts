import { MAX_HEADER_BYTES } from './limits.ts';

/** The exports of a script that the host uses: two functions and a list. */
export type Entry = 'default' | 'onWebhook' | 'webhookSubscriptions';

/**
 * Why a run failed in the child; the body is the JSON of a `ScriptFault`. After `memory` and `result_too_large`, the parent kills
 * the process.
 */
export const FAULT_CAUSES = [
  'script_error',
  'syntax_error',
  'import_refused',
  'entry_missing',
  'result_not_plain',
  'result_too_large',
  'memory',
] as const;
export type FaultCause = (typeof FAULT_CAUSES)[number];

export type HostMessage =
  /** Body: JSON of the guest's modules, name to source (`Program`). */
  | { readonly type: 'start'; readonly reportsMemory: boolean }
  /** Body: JSON of a `RunInput`. */
  | { readonly type: 'run'; readonly entry: Entry; readonly memoryMb: number }
  /** Body: JSON of the host function's result or, if `ok` is false, of a `CallFault`. */
  | { readonly type: 'response'; readonly id: number; readonly ok: boolean };

export interface RunInput {
  readonly source: string;
  /** JSON for the guest: `{facts, args, limits}`. */
  readonly input: string;
}

export type ChildMessage =
  | { readonly type: 'ready' }
  /** The isolate of the run exists; no code of the script has run yet. */
  | { readonly type: 'begun' }
  /** Body: JSON of the host function's arguments, an array. */
  | { readonly type: 'call'; readonly id: number; readonly name: string }
  /** Body: JSON of `{level, message, facts}`. */
  | { readonly type: 'log' }
  /** Body: JSON of the result; empty for undefined. */
  | { readonly type: 'done' }
  /** Body: JSON of a `ScriptFault`. */
  | { readonly type: 'failed'; readonly cause: FaultCause }
  /** The isolate is disposed: ready for the next run. */
  | { readonly type: 'idle' }
  /** The memory of the child; sent only if the parent cannot measure it. */
  | { readonly type: 'memory'; readonly bytes: number };

export interface ScriptFault {
  /** `ScriptError` if the script threw a `svc.ScriptError`. */
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
  /** Positions in the script, one per line: `name (script.js:3:9)`. */
  readonly stack?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface CallFault {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
}

const PREFIX_BYTES = 8;

/** Encodes one message: the lengths of header and body in bytes (uint32, little endian), the header as JSON, the body as text. */
export function frame(header: HostMessage | ChildMessage, body = ''): Buffer {
  const head = JSON.stringify(header);
  const headBytes = Buffer.byteLength(head);
  const bodyBytes = Buffer.byteLength(body);
  const bytes = Buffer.allocUnsafe(PREFIX_BYTES + headBytes + bodyBytes);
  bytes.writeUInt32LE(headBytes, 0);
  bytes.writeUInt32LE(bodyBytes, 4);
  bytes.write(head, PREFIX_BYTES);
  bytes.write(body, PREFIX_BYTES + headBytes);
  return bytes;
}

/** Parses frames from a stream. Buffers at most one header and one body within its limit. */
export class FrameReader {
  readonly #bodyLimit: (header: unknown) => number;
  #chunks: Buffer[] = [];
  #length = 0;
  #header: unknown;
  #headBytes = -1;
  #bodyBytes = -1;

  /** @param bodyLimit the maximum size of the body after this header; `read` throws before reading a larger one */
  constructor(bodyLimit: (header: unknown) => number) {
    this.#bodyLimit = bodyLimit;
  }

  /** @throws FrameFault for a header that is too long or invalid JSON, and for a body that is too long */
  *read(chunk: Buffer): Generator<readonly [header: unknown, body: string]> {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    for (;;) {
      if (!this.#hasHeader()) return;
      if (this.#length < this.#bodyBytes) return;
      const body = this.#take(this.#bodyBytes).toString();
      this.#headBytes = -1;
      this.#bodyBytes = -1;
      yield [this.#header, body];
    }
  }

  #hasHeader(): boolean {
    if (this.#bodyBytes >= 0) return true;
    if (this.#headBytes < 0) {
      if (this.#length < PREFIX_BYTES) return false;
      const prefix = this.#take(PREFIX_BYTES);
      this.#headBytes = prefix.readUInt32LE(0);
      this.#announced = prefix.readUInt32LE(4);
      if (this.#headBytes > MAX_HEADER_BYTES) throw new FrameFault(undefined);
    }
    if (this.#length < this.#headBytes) return false;
    this.#header = parsed(this.#take(this.#headBytes).toString());
    if (this.#announced > this.#bodyLimit(this.#header)) throw new FrameFault(this.#header);
    this.#bodyBytes = this.#announced;
    return true;
  }

  #announced = 0;

  #take(bytes: number): Buffer {
    const all = this.#chunks.length === 1 && this.#chunks[0] !== undefined ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const rest = all.subarray(bytes);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#length -= bytes;
    return all.subarray(0, bytes);
  }
}

export class FrameFault extends Error {
  /** Undefined if the header could not be parsed. */
  readonly header: unknown;

  constructor(header: unknown) {
    super('received an invalid frame');
    this.header = header;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FrameFault(undefined);
  }
}
