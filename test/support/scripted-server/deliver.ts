import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery, ScriptedResponse } from './behaviour.ts';

const DRIP_MS = 50;
const FILLER = Buffer.alloc(64 * 1024, 'x');

type Deliverer = (response: ServerResponse, body: Buffer) => void | Promise<void>;

/** Sends a response in the scripted way. */
export async function deliver(response: ServerResponse, scripted: ScriptedResponse, delivery: Delivery): Promise<void> {
  response.statusCode = scripted.status;
  for (const [name, value] of Object.entries(scripted.headers ?? {})) response.setHeader(name, value);
  await DELIVERERS[delivery](response, Buffer.from(scripted.body ?? ''));
}

const DELIVERERS: Readonly<Record<Delivery, Deliverer>> = {
  whole: (response, body) => void response.end(body),
  reset: (response) => void response.socket?.resetAndDestroy(),
  reset_inside: async (response, body) => {
    await sendHalf(response, body);
    response.socket?.resetAndDestroy();
  },
  hang: () => undefined,
  stall: sendHalf,
  truncate: async (response, body) => {
    await sendHalf(response, body);
    response.socket?.end();
  },
  drip: async (response, body) => {
    response.setHeader('content-length', body.length);
    for (const byte of body) {
      if (response.destroyed) return;
      response.write(Uint8Array.of(byte));
      await wait(DRIP_MS);
    }
    response.end();
  },
  endless: async (response, body) => {
    const block = body.length > 0 ? body : FILLER;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    while (!gone.signal.aborted) {
      if (!response.write(block)) await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
    }
  },
};

async function sendHalf(response: ServerResponse, body: Buffer): Promise<void> {
  response.setHeader('content-length', body.length);
  response.flushHeaders();
  await new Promise<void>((sent) => response.write(body.subarray(0, Math.ceil(body.length / 2)), () => sent()));
}
