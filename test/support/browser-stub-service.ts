import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Frame } from 'playwright-core';
import { readBuiltUi } from '../../core/server/pages/built-ui.ts';
import { DIST } from '../../ui/pipeline/manifest.ts';
import { serve } from './loopback-server.ts';

/** A script in place of the connect window. It records the messages from the SDK, and sends those that a test chooses. */
const WINDOW_SCRIPT = `'use strict';
const fragment = new URLSearchParams(location.hash.slice(1));
globalThis.received = [];
globalThis.given = Object.fromEntries(fragment);
addEventListener('message', (event) => {
  if (event.source === parent && event.origin === fragment.get('origin')) received.push(event.data);
});
globalThis.send = (message) => parent.postMessage({ svc: 1, ...message }, fragment.get('origin'));
send({ type: 'ready' });`;

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Last-Event-ID',
};

export interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A service with the real SDK, but with a connect window and an API that do what a test tells them to do. */
export interface StubService extends AsyncDisposable {
  readonly url: string;
  /** The requests to the API so far, the oldest first. */
  readonly requests: readonly StubRequest[];
  /** Forgets all requests so far. */
  clear(): void;
  /** Whether the page of the window is served immediately (the default), never, or immediately but without its script. */
  window: 'at once' | 'never' | 'without script';
  /** Responds to calls of the API and to requests for the launch page. */
  api: (request: StubRequest, response: ServerResponse) => void;
}

export async function startStubService(): Promise<StubService> {
  const sdk = readBuiltUi(DIST)?.files.get('sdk/v1.js')?.content;
  const requests: StubRequest[] = [];
  const server = await serve(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    if (path === '/sdk/v1.js') send(response, 'text/javascript', sdk ?? '');
    else if (path === '/window.js') send(response, 'text/javascript', WINDOW_SCRIPT);
    else if (path === '/connect') sendWindow(stub, response);
    else if (method === 'OPTIONS') response.writeHead(204, CORS).end();
    else if (path === '/favicon.ico') response.writeHead(204).end();
    else {
      for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
      const request = { method, path, headers, body: await text(incoming) };
      requests.push(request);
      stub.api(request, response);
    }
  });
  const stub: StubService = {
    url: server.url,
    requests,
    clear: () => requests.splice(0),
    window: 'at once',
    api: (_, response) => response.writeHead(404).end(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return stub;
}

function send(response: ServerResponse, type: string, body: string | Buffer): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(body);
}

function sendWindow({ window }: StubService, response: ServerResponse): void {
  if (window === 'never') return;
  const script = window === 'at once' ? '<script src="/window.js"></script>' : '';
  send(
    response,
    'text/html',
    `<!doctype html><title>Window</title><link rel="icon" href="data:,"><button>Inside</button>${script}`,
  );
}

export interface WindowMessage {
  readonly svc: number;
  readonly type: string;
  readonly token?: string;
}

/** Returns the messages that the SDK has sent to the window. Before the window's script has started, there are none. */
export function receivedBy(frame: Frame): Promise<readonly WindowMessage[]> {
  return frame.evaluate("typeof received === 'undefined' ? [] : received");
}

/** Sends a message from the window to the SDK. */
export function say(frame: Frame, message: object): Promise<void> {
  return frame.evaluate(`send(${JSON.stringify(message)})`);
}
