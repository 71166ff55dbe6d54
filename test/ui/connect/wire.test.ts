import { expect } from 'chai';
import { type ApiOptions, createApi } from '../../../ui/connect/flow/api.ts';
import { followFlow } from '../../../ui/connect/flow/follow-flow.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { readEvents } from '../../../ui/kit/event-stream.ts';
import type { Flow } from '../../../ui/kit/wire.ts';
import { flow } from './fake-window.ts';

function streamOf(...parts: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(encoder.encode(part));
      controller.close();
    },
  });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a stream of events', () => {
  it('is read wherever its chunks are split', async () => {
    const text = 'id: 1\nevent: flow\ndata: {"a":\ndata: "ä"}\n\n: still here\n\nid: 2\r\ndata: two\r\n\r\ndata: unfinished';
    const whole = await all(readEvents(streamOf(text)));
    expect(whole).to.deep.equal([
      { id: '1', data: '{"a":\n"ä"}' },
      { id: '', data: '' },
      { id: '2', data: 'two' },
    ]);
    expect(await all(readEvents(streamOf(...text)))).to.deep.equal(whole);
  });
});

describe('following a flow', () => {
  const event = (part: Partial<Flow>) => `data: ${JSON.stringify(flow(part))}\n\n`;

  async function follow(streams: (ReadableStream<Uint8Array> | Error)[], polls: Flow[]) {
    const asked: number[] = [];
    const pauses: number[] = [];
    const api = {
      events: async (_: string, after: number) => {
        asked.push(after);
        const next = streams.shift() ?? new Error('no more');
        if (next instanceof Error) throw next;
        return next;
      },
      flow: async () => polls.shift() ?? flow({ version: 99, state: 'failed' }),
    };
    const signal = new AbortController().signal;
    const pause = async (ms: number) => {
      // The long pause, after which a stream counts as silent, never ends here, so no stream ever counts as silent.
      if (ms > 10_000) await new Promise(() => {});
      pauses.push(ms);
    };
    const followed = followFlow({ api, signal, pause, online: async () => {} }, flow({}));
    const states = (await all(followed)).map(({ state }) => state);
    return { states, asked, pauses };
  }

  it('resumes after the last state that was received', async () => {
    const streams = [streamOf(event({ version: 2, state: 'opened' })), streamOf(event({ version: 3, state: 'succeeded' }))];
    const { states, asked } = await follow(streams, []);
    expect(states).to.deep.equal(['opened', 'succeeded']);
    expect(asked).to.deep.equal([1, 2]);
  });

  it('polls every 2 s after the stream has failed twice', async () => {
    const polls = [flow({}), flow({ version: 2, state: 'opened' }), flow({ version: 3, state: 'succeeded' })];
    const { states, asked, pauses } = await follow([new Error('one'), new Error('two')], polls);
    expect(states).to.deep.equal(['opened', 'succeeded']);
    expect(asked).to.have.length(2);
    expect(pauses).to.deep.equal([0, 2_000, 2_000, 2_000]);
  });

  it('ends when it is refused permanently', async () => {
    const refused = new ApiError('session_expired', { status: 401 });
    expect(await follow([refused], []).catch((error) => error)).to.equal(refused);
  });
});

describe('calls of the service', () => {
  function api(answers: (Response | Error)[], part: Partial<ApiOptions> = {}) {
    const calls: { url: string; init: RequestInit }[] = [];
    const client = createApi({
      base: 'https://svc.example/path/',
      token: () => 'token',
      fetch: async (url, init) => {
        calls.push({ url: String(url), init: init ?? {} });
        const next = answers.shift();
        if (next === undefined || next instanceof Error) throw next ?? new Error('no answer');
        return next;
      },
      pause: async () => {},
      online: async () => {},
      ...part,
    });
    return { client, calls };
  }

  it('carry the token and the origin of the page around', async () => {
    const { client, calls } = api([Response.json({ data: {} })], { embedOrigin: 'https://app.example' });
    await client.session();
    expect(calls[0]?.url).to.equal('https://svc.example/path/connect/session');
    expect(calls[0]?.init.headers).to.include({ authorization: 'Bearer token', 'x-svc-embed-origin': 'https://app.example' });
  });

  it('tell a lost answer to entered credentials from one before anything was sent', async () => {
    const { signal } = new AbortController();
    const wanted = { id: 'one', integration_id: 'desk' };
    const codeFrom = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (error: ApiError) => error.code,
      );
    expect(await codeFrom(api([]).client.createFlow({ ...wanted, credentials: { apiKey: 'a' } }, signal))).to.equal(
      'outcome_unknown',
    );
    expect(await codeFrom(api([]).client.createFlow(wanted, signal))).to.equal('offline');
    expect(await codeFrom(api([]).client.session())).to.equal('offline');
  });

  it('are repeated with the same flow ID when their response is lost', async () => {
    const { client, calls } = api([new TypeError('lost'), new Response('', { status: 503 }), Response.json({ data: flow({}) })]);
    await client.createFlow({ id: 'one', integration_id: 'desk' }, new AbortController().signal);
    expect(calls.map(({ init }) => JSON.parse(String(init.body)).id)).to.deep.equal(['one', 'one', 'one']);
  });

  for (const [what, status, body, code] of [
    [
      'a used session',
      401,
      { code: 'unknown_connect_session_token', errors: [{ code: 'session_used', path: [] }] },
      'session_used',
    ],
    ['a session that nobody knows', 401, { code: 'unknown_connect_session_token' }, 'session_expired'],
    [
      'a page that is not allowed',
      403,
      { code: 'forbidden', errors: [{ code: 'origin_not_allowed', path: [] }] },
      'origin_not_allowed',
    ],
    ['a sandbox in production', 403, { code: 'forbidden', errors: [] }, 'integration_unavailable'],
    ['faults of fields', 400, { code: 'invalid_body', errors: [{ code: 'required', path: ['params', 'a'] }] }, 'field_invalid'],
    ['something else', 500, { code: 'server_error' }, 'server_error'],
  ] as const) {
    it(`report why they were refused: ${what}`, async () => {
      const { client } = api([Response.json({ error: body }, { status })]);
      const error = await client.session().catch((fault) => fault);
      expect(error).to.be.instanceOf(ApiError);
      expect(error.code).to.equal(code);
    });
  }
});
