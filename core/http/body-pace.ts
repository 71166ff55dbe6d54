import type { IncomingMessage } from 'node:http';

/** Of each body at any speed. */
const FREE_BYTES = 64 * 1024;
/** Of all bodies of this process together, beyond that. */
const BYTES_PER_MS = (4 * 1024 * 1024) / 1_000;
/** What may come at once after a quiet time: 2 MiB, as much as one body may have. */
const BURST_MS = 500;

const followed = new WeakSet<IncomingMessage>();
/** Nobody reads them any more. */
const answered = new WeakSet<IncomingMessage>();
/** Pieces whose bodies go on when it is their turn, the oldest first. */
const held: { readonly request: IncomingMessage; readonly bytes: number }[] = [];
/** When all that went on is paid for, by `performance.now`. */
let paidUntil = 0;
let isTimed = false;

/**
 * Makes large bodies take turns: each piece is garbage soon after, and the collector holds up everyone for as long whoever sent
 * it. To be called when somebody reads the body.
 */
export function paceBody(request: IncomingMessage): void {
  if (followed.has(request)) return;
  followed.add(request);
  let free = FREE_BYTES;
  request.on('data', (piece: Buffer) => {
    const bytes = Math.max(0, piece.length - free);
    free = Math.max(0, free - piece.length);
    if (bytes === 0) return;
    request.pause();
    held.push({ request, bytes });
    letGo();
  });
}

/** The same for what is left of a body when its request was answered. Node throws that away at full speed otherwise. */
export function paceRest(request: IncomingMessage): void {
  answered.add(request);
  paceBody(request);
  request.read(0);
}

/** Bodies that somebody reads go first, and whoever has left pays nothing: a flood is over when it is over. */
function letGo(): void {
  while (held.length > 0 && paidUntil <= performance.now()) {
    const wanted = held.findIndex(({ request }) => !answered.has(request));
    const [next] = held.splice(Math.max(0, wanted), 1);
    if (next === undefined || next.request.socket.destroyed) continue;
    paidUntil = Math.max(paidUntil, performance.now() - BURST_MS) + next.bytes / BYTES_PER_MS;
    next.request.resume();
  }
  if (held.length === 0 || isTimed) return;
  isTimed = true;
  const goOn = () => {
    isTimed = false;
    letGo();
  };
  setTimeout(goOn, Math.max(1, paidUntil - performance.now()));
}
