import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { sweep } from '../../support/canaries.ts';
import { TestClock } from '../../support/clock.ts';
import type { FakeProvider } from '../../support/fake-provider/fake-provider.ts';
import { startFakeProvider } from '../../support/fake-provider/fake-provider.ts';
import { type ClientAnswer, readAnswer } from '../../support/http-client.ts';
import type { Delivery, EchoPlace } from '../../support/scripted-server/behaviour.ts';

const REDIRECT_URI = 'http://127.0.0.1:1/oauth/callback';
const VERIFIER = 'a-verifier-of-the-length-that-rfc-7636-asks-for';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

async function authorize(provider: FakeProvider, changes: Record<string, string> = {}): Promise<URL> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: REDIRECT_URI,
    state: 'state-1',
    scope: 'notes',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  });
  const answer = await fetch(`${provider.authorizationUrl}?${query}`, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? 'about:blank');
}

async function callToken(provider: FakeProvider, params: Record<string, string>): Promise<ClientAnswer> {
  const body = new URLSearchParams({ client_id: provider.clientId, client_secret: provider.clientSecret, ...params });
  return readAnswer(await fetch(provider.tokenUrl, { method: 'POST', body }));
}

function refresh(provider: FakeProvider, refreshToken: string): Promise<ClientAnswer> {
  return callToken(provider, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

async function connect(provider: FakeProvider, verifier = VERIFIER): Promise<ClientAnswer> {
  const callback = await authorize(provider);
  const code = callback.searchParams.get('code') ?? '';
  return callToken(provider, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier });
}

interface ApiCall extends RequestInit {
  readonly path: string;
  readonly accessToken: string;
}

function callApi(provider: FakeProvider, { path, accessToken, ...init }: ApiCall): Promise<Response> {
  return fetch(`${provider.url}${path}`, { ...init, headers: { authorization: `Bearer ${accessToken}` } });
}

describe('fake provider: authorization', () => {
  it('comes back with code, state and issuer, and trades the code for tokens once', async () => {
    await using provider = await startFakeProvider();
    const callback = await authorize(provider);
    expect(callback.searchParams.get('state')).to.equal('state-1');
    expect(callback.searchParams.get('iss')).to.equal(provider.url);

    const trade = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
    };
    expect((await callToken(provider, trade)).body).to.include({ token_type: 'Bearer', expires_in: 3600, scope: 'notes' });
    expect((await callToken(provider, trade)).body).to.deep.equal({ error: 'invalid_grant' });
  });

  it('refuses a wrong verifier, unless PKCE is ignored', async () => {
    await using provider = await startFakeProvider();
    expect((await connect(provider, 'another verifier')).body).to.deep.equal({ error: 'invalid_grant' });
    provider.settings.pkce = 'ignored';
    expect((await connect(provider, 'another verifier')).status).to.equal(200);
  });

  it('changes the callback as scripted', async () => {
    await using provider = await startFakeProvider();
    provider.next('authorize', { members: { code: undefined, error: 'access_denied', iss: 'https://evil.example' } });
    const callback = await authorize(provider);
    expect(Object.fromEntries(callback.searchParams)).to.deep.equal({
      error: 'access_denied',
      state: 'state-1',
      iss: 'https://evil.example',
    });
  });

  it('takes client authentication only the way it is set to', async () => {
    await using provider = await startFakeProvider({ clientAuth: 'basic' });
    expect((await connect(provider)).body).to.deep.equal({ error: 'invalid_client' });
  });
});

describe('fake provider: refresh', () => {
  it('with strict rotation revokes the whole family when a token is used twice', async () => {
    await using provider = await startFakeProvider();
    const first = (await connect(provider)).body;
    const second = (await refresh(provider, first.refresh_token)).body;
    expect((await callApi(provider, { path: '/api/me', accessToken: second.access_token })).status).to.equal(200);

    expect((await refresh(provider, first.refresh_token)).body).to.deep.equal({ error: 'invalid_grant' });
    expect((await refresh(provider, second.refresh_token)).body).to.deep.equal({ error: 'invalid_grant' });
    expect((await callApi(provider, { path: '/api/me', accessToken: second.access_token })).status).to.equal(401);
  });

  it('with grace takes the old token again, but not for ever', async () => {
    const clock = new TestClock();
    await using provider = await startFakeProvider({ rotation: 'grace', graceSeconds: 30, clock });
    const { refresh_token: old } = (await connect(provider)).body;
    expect((await refresh(provider, old)).status).to.equal(200);
    await clock.advance(29_000);
    expect((await refresh(provider, old)).status).to.equal(200);
    await clock.advance(2_000);
    expect((await refresh(provider, old)).status).to.equal(400);
  });

  it('without rotation keeps the token and still counts generations', async () => {
    await using provider = await startFakeProvider({ rotation: 'none' });
    const { refresh_token: token } = (await connect(provider)).body;
    expect((await refresh(provider, token)).body.refresh_token).to.equal(token);
    await refresh(provider, token);
    const generations = provider.ledger.of('token').map(({ presented }) => presented?.generation);
    expect(generations).to.deep.equal([undefined, 0, 1]);
  });

  it('answers with the members that a test asks for', async () => {
    await using provider = await startFakeProvider();
    const { refresh_token: token } = (await connect(provider)).body;
    provider.next('token', { members: { refresh_token: undefined, expires_in: '3600' } });
    const { body } = await refresh(provider, token);
    expect(body).not.to.have.property('refresh_token');
    expect(body.expires_in).to.equal('3600');
  });

  it('commits a refresh whose answer it then loses, and says so in the ledger', async () => {
    await using provider = await startFakeProvider();
    const { refresh_token: token } = (await connect(provider)).body;
    for (const delivery of ['reset', 'reset_inside'] satisfies Delivery[]) {
      provider.next('token', { delivery });
      const failure = await refresh(provider, token).catch((error: Error) => error.cause);
      expect(failure).to.include({ name: 'Error', code: 'ECONNRESET' });
    }
    const [, lost] = provider.ledger.of('token');
    expect(lost).to.include({ outcome: 'unknown', status: 200 });
    expect(lost?.presented).to.deep.equal({ kind: 'refresh', family: 0, generation: 0 });
  });

  it('holds requests at a barrier until it is opened', async () => {
    await using provider = await startFakeProvider();
    const { refresh_token: token } = (await connect(provider)).body;
    const barrier = provider.barrier('token');
    let answered = 0;
    const calls = [1, 2, 3].map(() => refresh(provider, token).then(() => (answered += 1)));
    await barrier.arrived(3);
    expect(answered).to.equal(0);
    barrier.open();
    await Promise.all(calls);
    expect(answered).to.equal(3);
  });

  it('sends any status and bytes when told to, once', async () => {
    await using provider = await startFakeProvider();
    provider.next('token', { answer: { status: 503, headers: { 'retry-after': '120' }, body: '<html>' } });
    const answer = await refresh(provider, 'any');
    expect([answer.status, answer.headers.get('retry-after'), answer.text]).to.deep.equal([503, '120', '<html>']);
    expect((await refresh(provider, 'any')).status).to.equal(400);
  });
});

describe('fake provider: secrets repeated', () => {
  const places: EchoPlace[] = ['error_body', 'header', 'redirect', 'www_authenticate', 'cookie', 'html_title'];
  for (const place of places) {
    it(`appear in the answer: ${place}`, async () => {
      await using provider = await startFakeProvider();
      const { refresh_token: token } = (await connect(provider)).body;
      provider.next('token', { echo: { place } });
      const answer = await refreshByHand(provider, token);
      const names = sweep({ answer: `${JSON.stringify([...answer.headers])}${answer.text}` }).map(({ secret }) => secret);
      expect(names).to.include.members(['provider: refresh token', 'provider: client secret']);
    });
  }
});

async function refreshByHand(provider: FakeProvider, refreshToken: string): Promise<ClientAnswer> {
  const body = new URLSearchParams({ client_secret: provider.clientSecret, refresh_token: refreshToken });
  return readAnswer(await fetch(provider.tokenUrl, { method: 'POST', body, redirect: 'manual' }));
}

describe('fake provider: API', () => {
  it('repeats what it received, and refuses a token past its lifetime', async () => {
    const clock = new TestClock();
    await using provider = await startFakeProvider({ accessTokenTtlSeconds: 60, clock });
    const { access_token: token } = (await connect(provider)).body;
    const { body } = await readAnswer(
      await callApi(provider, { path: '/api/echo/a%2Fb?x=1', accessToken: token, method: 'PUT', body: 'hello' }),
    );
    expect(body).to.include({ method: 'PUT', target: '/api/echo/a%2Fb?x=1', body_bytes: 5 });
    expect(body.body_sha256).to.equal(createHash('sha256').update('hello').digest('hex'));

    await clock.advance(61_000);
    expect((await callApi(provider, { path: '/api/echo', accessToken: token })).status).to.equal(401);
  });

  it('sends events, large bodies and any status', async () => {
    await using provider = await startFakeProvider({ openApi: true });
    expect(await (await callApi(provider, { path: '/api/sse/2?every=1', accessToken: '' })).text()).to.match(
      /^id: 0\ndata: \d+\n\nid: 1\n/,
    );
    expect((await (await callApi(provider, { path: '/api/big/200000', accessToken: '' })).bytes()).length).to.equal(200_000);
    expect((await callApi(provider, { path: '/api/status/418', accessToken: '' })).status).to.equal(418);
  });

  it('breaks off inside a body when told to', async () => {
    await using provider = await startFakeProvider({ openApi: true });
    provider.next('api', { delivery: 'truncate' });
    const failure = await callApi(provider, { path: '/api/me', accessToken: '' })
      .then((answer) => answer.text())
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
  });

  it('says when the caller has left', async () => {
    await using provider = await startFakeProvider({ openApi: true });
    const leaving = new AbortController();
    await callApi(provider, { path: '/api/sse', accessToken: '', signal: leaving.signal });
    leaving.abort();
    await provider.ledger.of('api')[0]?.ended;
  });

  it('echoes over a WebSocket', async () => {
    await using provider = await startFakeProvider({ openApi: true });
    const socket = new WebSocket(`${provider.url}/api/ws`.replace('http', 'ws'));
    await once(socket, 'open');
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).to.equal('hello');
    socket.close();
  });
});
