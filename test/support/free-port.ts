import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the system gives to whoever asks for any (Linux: from 32768 on): what is free now is so when it is used.
 * Above those that browsers refuse.
 */
const FIRST = 12_000;
/** For each of the processes that run tests beside each other. */
const OWN = 2_000;
const MAX_PROCESSES = 10;
const first = FIRST + (Number(process.env['TEST_WORKER'] ?? 0) % MAX_PROCESSES) * OWN;
let next = process.pid;

/** A port of loopback that nobody listens on, and of which no other test hears. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % OWN);
    if (await isFree(port)) return port;
  }
}

/** Whether nobody listens on a port of loopback. */
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
