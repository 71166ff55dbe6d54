import type { Duplex } from 'node:stream';

const signals = new WeakMap<Duplex, AbortSignal>();

/** Associates a connection with its server's signal, which is aborted when the server is about to close. */
export function markDraining(socket: Duplex, signal: AbortSignal): void {
  signals.set(socket, signal);
}

/** Returns the signal of a connection's server; undefined if the connection belongs to none of the service's servers. */
export function drainingOf(socket: Duplex | null): AbortSignal | undefined {
  return socket === null ? undefined : signals.get(socket);
}
