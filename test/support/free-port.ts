import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * The first of the ports that tests use. They are below the ports that the system assigns (on Linux from 32768 on), so that the
 * system does not give a port to someone else after it was found free. They are also above the ports that browsers refuse.
 */
const FIRST = 12_000;
/** The number of ports that each of the simultaneous test processes has for itself. */
const OWN = 2_000;
const MAX_PROCESSES = 10;
const first = FIRST + (Number(process.env['TEST_WORKER'] ?? 0) % MAX_PROCESSES) * OWN;
let next = process.pid;

/** Returns a port of `localhost` on which nobody listens and which no other test gets. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % OWN);
    if (await isFree(port)) return port;
  }
}

/** Tells whether a port of `localhost` is free: browsers may try either address, so a stranger at `::1` would get their requests. */
export async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && ((await canListen(port, '::1')) || !hasAddress('::1'));
}

function hasAddress(wanted: string): boolean {
  return Object.values(networkInterfaces()).some((found = []) => found.some(({ address }) => address === wanted));
}

async function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
