import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Svc, SvcError } from '../../sdk/node/src/svc.ts';
import { type LoopbackServer, serve } from './loopback-server.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A fake of the service, for tests of the Node client. It responds as each test says. */
export class FakeService implements AsyncDisposable {
  readonly received: Received[] = [];
  #server: LoopbackServer | undefined;
  #responders: ((response: ServerResponse) => void)[] = [];

  async open(): Promise<this> {
    this.#server = await serve((request, response) => void this.#serve(request, response));
    return this;
  }

  get svc(): Svc {
    return new Svc({ baseUrl: `${this.#server?.url}/`, apiKey: 'key' });
  }

  /** Sets the responses to the next requests, one for each. The last one is also the response to all later requests. */
  respondWith(...responders: ((response: ServerResponse) => void)[]): this {
    this.#responders = responders;
    return this;
  }

  #serve: (...exchange: Parameters<RequestListener>) => Promise<void> = async (request, response) => {
    const { method = '', url = '', headers } = request;
    this.received.push({ method, url, headers, body: await text(request) });
    const respond = this.#responders.length > 1 ? this.#responders.shift() : this.#responders[0];
    respond?.(response);
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
export const error = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { error: { code, message: 'why', errors: [{ code: 'custom', message: 'what', path: ['a'] }] } }, headers);

export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('the call did not fail'),
    (reason: unknown) => reason,
  );
}

export async function svcError(promise: Promise<unknown>): Promise<SvcError> {
  const reason = await failure(promise);
  if (!(reason instanceof SvcError)) throw reason;
  return reason;
}
