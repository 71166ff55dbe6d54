import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The first port that tests use. Their ports are below those that the system assigns by itself (on Linux from 32768 on), so that a
 * port that is free now still is when it is used, and above those that browsers refuse.
 */
const FIRST = 12_000;
/** The number of ports for each of the processes that run tests at the same time. */
const OWN = 2_000;
const MAX_PROCESSES = 10;
const first = FIRST + (Number(process.env['TEST_WORKER'] ?? 0) % MAX_PROCESSES) * OWN;
let next = process.pid;

/** Returns a port of loopback that nobody listens on and that no other test gets. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % OWN);
    if (await isFree(port)) return port;
  }
}

/** Tells whether nobody listens on a port of loopback. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
