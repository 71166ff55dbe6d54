import type { IncomingMessage } from 'node:http';

/** Of each body at any speed. */
const FREE_BYTES = 64 * 1024;
/** Of all bodies of this process together, beyond that. */
const BYTES_PER_MS = (8 * 1024 * 1024) / 1_000;
/** What may come at once after a quiet time: 2 MiB, as much as one body may have. */
const BURST_MS = 250;

const followed = new WeakSet<IncomingMessage>();
/** When all that was read is paid for, by `performance.now`. */
let paidUntil = 0;

/**
 * Makes large bodies take turns: each piece is garbage soon after, and the collector holds up everyone for as long whoever sent
 * it. To be called when somebody reads the body, or to throw it away.
 */
export function paceBody(request: IncomingMessage): void {
  if (followed.has(request)) return;
  followed.add(request);
  let free = FREE_BYTES;
  request.on('data', (piece: Buffer) => {
    const counted = Math.max(0, piece.length - free);
    free = Math.max(0, free - piece.length);
    if (counted > 0) holdBack(request, counted);
  });
}

function holdBack(request: IncomingMessage, bytes: number): void {
  const now = performance.now();
  paidUntil = Math.max(paidUntil, now - BURST_MS) + bytes / BYTES_PER_MS;
  if (paidUntil <= now) return;
  request.pause();
  setTimeout(() => request.resume(), paidUntil - now);
}
