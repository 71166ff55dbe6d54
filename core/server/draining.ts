import type { Duplex } from 'node:stream';

const signals = new WeakMap<Duplex, AbortSignal>();

/** Associates a socket with its server's signal, which is aborted when the server begins to shut down. */
export function markDraining(socket: Duplex, signal: AbortSignal): void {
  signals.set(socket, signal);
}

/** Returns the signal of a socket's server; undefined if the socket belongs to none of the service's servers. */
export function drainingOf(socket: Duplex | null): AbortSignal | undefined {
  return socket === null ? undefined : signals.get(socket);
}
