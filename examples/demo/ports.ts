import { freePort, isFree } from '../../test/support/free-port.ts';

const TAKEN = /EADDRINUSE|is in use/;

/**
 * Starts something that listens at a port: the wanted one or, if that is taken, another. Another process may also take the port
 * after it was found free, since the start takes seconds; then the start is repeated at a port that is free now.
 *
 * @param start rejects if what it starts cannot listen, and resolves only once that itself listens
 */
export async function startAtPort<T>(wanted: number, start: (port: number) => Promise<T>): Promise<T> {
  for (;;) {
    const port = await portNear(wanted);
    try {
      return await start(port);
    } catch (error) {
      if (!(error instanceof Error && TAKEN.test(error.message))) throw error;
    }
  }
}

async function portNear(wanted: number): Promise<number> {
  if (await isFree(wanted)) return wanted;
  const port = await freePort();
  console.log(`Port ${wanted} is taken; using ${port} instead.`);
  return port;
}
