import { expect } from 'chai';
import { createClient } from '../../../ui/dashboard/app/client.ts';
import { follow } from '../../../ui/dashboard/app/follow.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';

const BASE = 'https://svc.example/below/';

describe('calls of the dashboard', () => {
  function start(...responses: Response[]) {
    const calls: { url: string; init: RequestInit | undefined }[] = [];
    const told: string[] = [];
    const client = createClient({
      base: BASE,
      fetch: async (url, init) => {
        calls.push({ url: String(url), init });
        return responses.shift() ?? Response.error();
      },
      onSignedOut: () => told.push('signed out'),
      onFactorNeeded: () => told.push('factor'),
      confirm: async () => told.push('asked') < 2,
    });
    return { client, calls, told };
  }
  const refused = (status: number, code: string) => Response.json({ error: { code, message: 'no' } }, { status });
  const codeOf = (call: Promise<unknown>) => call.then(() => undefined).catch((error: ApiError) => error.code);

  it('identify the page as the service’s own if they change something', async () => {
    const { client, calls } = start(new Response(null, { status: 204 }), Response.json({ data: 1 }));
    expect(await client.send('DELETE', 'api/ui/a')).to.equal(undefined);
    expect(await client.send('POST', 'api/ui/a', { b: 1 })).to.deep.equal({ data: 1 });
    expect(calls.map(({ url, init }) => [url, init?.headers, init?.body])).to.deep.equal([
      [`${BASE}api/ui/a`, { 'x-svc-ui': '1' }, undefined],
      [`${BASE}api/ui/a`, { 'x-svc-ui': '1', 'content-type': 'application/json' }, '{"b":1}'],
    ]);
  });

  it('lead to the sign-in when the session has ended, but not when a password was wrong', async () => {
    const { client, told } = start(refused(401, 'signed_out'), refused(401, 'invalid_login'));
    expect([await codeOf(client.read('api/ui/me')), await codeOf(client.send('POST', 'api/ui/login', {}))]).to.deep.equal([
      'signed_out',
      'invalid_login',
    ]);
    expect(told).to.deep.equal(['signed out']);
  });

  it('are repeated after the password they need was entered, and only then', async () => {
    const needed = () => refused(403, 'password_needed');
    const { client, calls, told } = start(needed(), Response.json({ data: 1 }), needed());
    expect(await client.send('POST', 'api/ui/reveal', {})).to.deep.equal({ data: 1 });
    expect(await codeOf(client.send('POST', 'api/ui/reveal', {}))).to.equal('password_needed');
    expect([calls.length, told]).to.deep.equal([3, ['asked', 'asked']]);
  });
});

describe('following events', () => {
  const streamOf = (text: string) => new Response(text).body as ReadableStream<Uint8Array>;

  async function all(streams: (string | Error)[], until: number) {
    const stop = new AbortController();
    const asked: string[] = [];
    const lives: boolean[] = [];
    const found: string[] = [];
    const events = follow({
      async open(after) {
        asked.push(after);
        const next = streams.shift() ?? '';
        if (next instanceof Error) throw next;
        return streamOf(next);
      },
      // The long pause, after which a stream counts as silent, never ends here, so no stream ever counts as silent.
      pause: (ms) => (ms > 20_000 ? new Promise(() => {}) : Promise.resolve()),
      online: async () => undefined,
      signal: stop.signal,
      after: '',
      onLive: (isLive) => lives.push(isLive),
    });
    for await (const { data } of events) {
      if (data !== '') found.push(data);
      if (found.length === until) stop.abort();
    }
    return { asked, found, lives };
  }

  it('resumes after the last event it received, over any number of streams', async () => {
    const lost = new ApiError('no_response', { status: 0 });
    const cut = ['id: 0\n\nid: 1\ndata: a\n\n: quiet\n\nid: 2\ndata: b\n\n', lost, 'id: 3\n\n', 'id: 4\ndata: c\n\n'];
    const { asked, found, lives } = await all(cut, 3);
    expect([asked, found]).to.deep.equal([
      ['', '2', '2', '3'],
      ['a', 'b', 'c'],
    ]);
    expect(lives).to.deep.equal([true, false, false, true, false, true, false]);
  });

  it('ends where it is refused', async () => {
    const refusal = new ApiError('forbidden', { status: 403 });
    expect(await all([refusal], 1).catch((error) => error)).to.equal(refusal);
  });
});
