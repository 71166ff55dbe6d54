import type { Duplex } from 'node:stream';

const signals = new WeakMap<Duplex, AbortSignal>();

/** Each connection of a server has its server's signal, which is aborted when that is about to close. */
export function markDraining(socket: Duplex, signal: AbortSignal): void {
  signals.set(socket, signal);
}

/** Undefined for a connection of no server of ours. */
export function drainingOf(socket: Duplex | null): AbortSignal | undefined {
  return socket === null ? undefined : signals.get(socket);
}
