import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../../../core/kit/error-code.ts';
import type { ScriptedResponse } from '../scripted-server/behaviour.ts';
import type { Exchange } from '../scripted-server/scripted-server.ts';
import { jsonResponse } from './echo.ts';
import { mayCall } from './presented-token.ts';
import type { Provider } from './provider.ts';

const BLOCK = Buffer.alloc(64 * 1024, '0123456789abcdef');

type Handler = (exchange: Exchange, argument: string) => ScriptedResponse | Promise<undefined>;

/** Serves the API, which refuses requests without a valid access token with 401, unless `openApi` is set. */
export async function api(provider: Provider, exchange: Exchange): Promise<ScriptedResponse | undefined> {
  if (!mayCall(provider, exchange.entry)) return UNAUTHORIZED;
  const [, , name = '', argument = ''] = exchange.url.pathname.split('/');
  const handler = HANDLERS.get(name);
  return handler === undefined ? jsonResponse(404, { error: 'not_found' }) : await handler(exchange, argument);
}

const UNAUTHORIZED: ScriptedResponse = {
  ...jsonResponse(401, { error: 'invalid_token' }),
  headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer error="invalid_token"' },
};

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['echo', ({ entry }) => jsonResponse(200, describe(entry))],
  ['me', () => jsonResponse(200, { id: 'user-1', name: 'Ada' })],
  ['status', (_exchange, status) => jsonResponse(Number(status), { status: Number(status) })],
  [
    'redirect',
    ({ url }) => ({
      status: Number(url.searchParams.get('status') ?? 302),
      headers: { location: url.searchParams.get('to') ?? '/' },
    }),
  ],
  ['big', sendBlocks],
  ['sse', sendEvents],
]);

function describe({ method, target, rawHeaders, bodyBytes, bodySha256 }: Exchange['entry']): Record<string, unknown> {
  return { method, target, headers: rawHeaders, body_bytes: bodyBytes, body_sha256: bodySha256 };
}

/** Serves `/api/big/<bytes>`: a repeating pattern, written no faster than the client reads it, and until the client leaves. */
async function sendBlocks({ response }: Exchange, bytes: string): Promise<undefined> {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes });
  await pipeline(Readable.from(blocks(Number(bytes))), response).catch((error: unknown) => {
    if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

function* blocks(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, Math.min(left, BLOCK.length));
}

/** Serves `/api/sse/<count>?every=<ms>`: events with the current time; without a count, until the client disconnects. */
async function sendEvents({ response, url }: Exchange, count: string): Promise<undefined> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const everyMs = Number(url.searchParams.get('every') ?? 50);
  const events = count === '' ? Number.POSITIVE_INFINITY : Number(count);
  for (let sent = 0; sent < events && !response.destroyed; sent += 1) {
    await sendText(response, `id: ${sent}\ndata: ${Date.now()}\n\n`);
    await wait(everyMs);
  }
  response.end();
}

async function sendText(response: ServerResponse, text: string): Promise<void> {
  if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
}
