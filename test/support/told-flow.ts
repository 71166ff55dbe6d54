import type { ServerResponse } from 'node:http';
import type { StubRequest } from './browser-stub-service.ts';

export interface Told {
  readonly state: string;
  readonly [name: string]: unknown;
}

/** A connect flow, served to a browser, whose states a test sets one after the other. */
export class ToldFlow {
  readonly #streams: ServerResponse[] = [];
  readonly #created: Readonly<Record<string, unknown>>;
  #flow: Readonly<Record<string, unknown>>;
  #version = 1;

  constructor({ body }: StubRequest) {
    const { id, integration_id, credentials } = JSON.parse(body);
    const others = { error: null, account: null, options: [], is_limited: false };
    this.#created = { id, integration_id, ...others };
    this.#flow = { ...this.#created, version: 1, state: credentials ? 'verifying' : 'created' };
  }

  reply(response: ServerResponse, status = 200): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ data: this.#flow }));
  }

  stream(response: ServerResponse, lastEventId: string | undefined): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': there\n\n');
    this.#streams.push(response);
    if (lastEventId !== String(this.#version)) this.#write(response);
  }

  tell(changes: Told): void {
    this.#version += 1;
    this.#flow = { ...this.#created, version: this.#version, ...changes };
    for (const stream of this.#streams) this.#write(stream);
  }

  cut(): void {
    for (const stream of this.#streams.splice(0)) stream.end();
  }

  #write(stream: ServerResponse): void {
    // The event is sent in two parts, because networks often split data like this.
    const text = `id: ${this.#version}\nevent: flow\ndata: ${JSON.stringify(this.#flow)}\n\n`;
    stream.write(text.slice(0, 20));
    stream.write(text.slice(20));
  }
}
