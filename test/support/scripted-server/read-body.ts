import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const KEPT_BYTES = 1024 * 1024;

export interface ReceivedBody {
  readonly kept: Buffer;
  readonly bytes: number;
  readonly sha256: string;
}

/** Reads a body to its end, whatever its size; only the first MiB is kept. */
export async function readBody(request: IncomingMessage): Promise<ReceivedBody> {
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    hash.update(chunk);
    if (bytes < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - bytes));
    bytes += chunk.length;
  }
  return { kept: Buffer.concat(kept), bytes, sha256: hash.digest('hex') };
}
