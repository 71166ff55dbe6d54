import { expect } from 'chai';
import type { Service } from './connect.ts';

interface FlowEvent {
  readonly id: string;
  readonly flow: Readonly<Record<string, unknown>>;
}

/** An open event stream of a flow, by which a user interface follows it. */
export interface FlowStream extends Disposable {
  readonly response: Response;
  /** Returns the next event, or undefined at the end of the stream. */
  next(): Promise<FlowEvent | undefined>;
  /** Returns all events until the end of the stream. */
  rest(): Promise<readonly FlowEvent[]>;
}

interface StreamOptions {
  readonly token: string;
  readonly id: string;
  readonly lastEventId?: string;
}

export async function openFlowStream(
  { url }: Pick<Service, 'url'>,
  { token, id, lastEventId }: StreamOptions,
): Promise<FlowStream> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/connect/flows/${id}/events`, {
    headers: { authorization: `Bearer ${token}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: leaving.signal,
  });
  const events = eventsIn(response);
  const next = async () => (await events.next()).value ?? undefined;
  return {
    response,
    next,
    async rest() {
      const all: FlowEvent[] = [];
      for (let one = await next(); one !== undefined; one = await next()) all.push(one);
      return all;
    },
    [Symbol.dispose]: () => leaving.abort(),
  };
}

async function* eventsIn({ body }: Response): AsyncGenerator<FlowEvent, undefined> {
  let text = '';
  for await (const part of (body ?? expect.fail('no body')).pipeThrough(new TextDecoderStream())) {
    const blocks = `${text}${part}`.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
      if (fields['event'] === 'flow') yield { id: fields['id'] ?? '', flow: JSON.parse(fields['data'] ?? '') };
    }
  }
  return undefined;
}
