import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { ServiceError } from '../../core/errors.ts';
import { type LoopbackServer, serve } from '../support/loopback-server.ts';
import { CALL_HEADERS, type ProxyHarness, startProxy } from '../support/proxy-harness.ts';
import { type Received, type Sent, send } from '../support/raw-http.ts';

const MIB = 1024 * 1024;

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly authorization: string;
  readonly body: Buffer;
}

type Response = (response: ServerResponse, seen: Seen) => void;

/** A provider that gives scripted responses one after the other, and then repeats the last one. */
class Script implements AsyncDisposable {
  readonly seen: Seen[] = [];
  readonly #upstream: LoopbackServer;
  readonly proxy: ProxyHarness;

  private constructor(upstream: LoopbackServer, proxy: ProxyHarness) {
    this.#upstream = upstream;
    this.proxy = proxy;
  }

  static async start(...responses: readonly Response[]): Promise<Script> {
    const upstream = await serve((request, response) => void script.#serve(request, response, responses));
    const proxy = await startProxy({ proxy: { base_url: upstream.url } });
    const script = new Script(upstream, proxy);
    return script;
  }

  call(sent: Partial<Sent> = {}): Promise<Received> {
    return send({ port: this.proxy.edge.port, path: '/proxy/x', ...sent, headers: { ...CALL_HEADERS, ...sent.headers } });
  }

  async #serve(request: IncomingMessage, response: ServerResponse, responses: readonly Response[]): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const seen = { method, url, authorization: headers.authorization ?? '', body: Buffer.concat(chunks) };
    const respond = responses[Math.min(this.seen.length, responses.length - 1)];
    this.seen.push(seen);
    respond?.(response, seen);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy[Symbol.asyncDispose]();
    await this.#upstream[Symbol.asyncDispose]();
  }
}

function status(code: number, headers: Readonly<Record<string, string>> = {}): Response {
  return (response) => response.writeHead(code, headers).end(`response ${code}`);
}

const reset: Response = (response) => response.socket?.resetAndDestroy();
const AT_ONCE = { 'retry-after': '0' };

describe('a call that the provider rejects with 401', () => {
  it('is repeated once with newer credentials, its body unchanged', async () => {
    await using script = await Script.start(status(401), status(200));
    const old = script.proxy.vault.token;
    script.proxy.vault.nextToken = 'newer';
    const body = Buffer.alloc(MIB, 'body');
    const response = await script.call({ method: 'POST', body, chunked: true });
    expect(response.status).to.equal(200);
    expect(script.seen.map(({ authorization }) => authorization)).to.deep.equal([`Bearer ${old}`, 'Bearer newer']);
    expect(script.seen.map((seen) => seen.body.equals(body))).to.deep.equal([true, true]);
  });

  it('returns the 401 when the newer credentials are refused too', async () => {
    await using script = await Script.start(status(401));
    script.proxy.vault.nextToken = 'newer';
    expect((await script.call()).status).to.equal(401);
    expect(script.seen).to.have.length(2);
  });

  it('returns the 401 as it came when there are no newer credentials', async () => {
    await using script = await Script.start(status(401, { 'www-authenticate': 'Bearer error="invalid_token"' }));
    const response = await script.call();
    expect(response.status).to.equal(401);
    expect(response.headers['www-authenticate']).to.equal('Bearer error="invalid_token"');
    expect(response.headers).not.to.have.property('svc-error');
    expect(response.body.toString()).to.equal('response 401');
    expect(script.seen).to.have.length(1);
  });

  it('returns the 401 when the refresh fails', async () => {
    await using script = await Script.start((response) => {
      script.proxy.vault.fault = new ServiceError('invalid_credentials', 'the user is needed');
      status(401)(response, { method: '', url: '', authorization: '', body: Buffer.alloc(0) });
    });
    expect((await script.call()).body.toString()).to.equal('response 401');
  });

  it('has its credentials refreshed but is not repeated when its body is too large to be kept', async () => {
    await using script = await Script.start(status(401), status(200));
    script.proxy.vault.nextToken = 'newer';
    const response = await script.call({ method: 'POST', body: Buffer.alloc(MIB + 1), chunked: true });
    expect(response.body.toString()).to.equal('response 401');
    expect(script.seen).to.have.length(1);
    expect(script.proxy.vault.token).to.equal('newer');
  });
});

describe('a HEAD call', () => {
  for (const code of [401, 500]) {
    it(`hands the provider's ${code} on when nothing helps`, async () => {
      await using script = await Script.start(status(code, { 'retry-after': '3600' }));
      const response = await script.call({ method: 'HEAD', headers: { retries: '1' } });
      expect(response.status).to.equal(code);
      expect(response.headers['svc-error']).to.equal(undefined);
    });
  }
});

describe('retries of a proxied call (PRX-11)', () => {
  it('do not happen unless they are requested', async () => {
    for (const failure of [status(503, AT_ONCE), status(429, AT_ONCE), reset]) {
      await using script = await Script.start(failure, status(200));
      await script.call();
      expect(script.seen).to.have.length(1);
    }
  });

  for (const [what, failure] of [
    ['503', status(503, AT_ONCE)],
    ['429', status(429, AT_ONCE)],
    ['a reset', reset],
  ] as const) {
    it(`follow ${what} as often as requested`, async () => {
      await using script = await Script.start(failure, failure, status(200));
      const response = await script.call({ headers: { retries: '2' } });
      expect(response.status).to.equal(200);
      expect(script.seen).to.have.length(3);
    });
  }

  it('end with the last response as it came', async () => {
    await using script = await Script.start(status(503, { ...AT_ONCE, 'x-try': 'any' }));
    const response = await script.call({ headers: { retries: '2' } });
    expect(response).to.deep.include({ status: 503, body: Buffer.from('response 503') });
    expect(response.headers['x-try']).to.equal('any');
    expect(script.seen).to.have.length(3);
  });

  it('follow the statuses that are listed', async () => {
    await using script = await Script.start(status(404, AT_ONCE), status(409, AT_ONCE), status(200));
    expect((await script.call({ headers: { retries: '5', 'retry-on': '404,409' } })).status).to.equal(200);
  });

  for (const method of ['POST', 'PATCH']) {
    it(`repeat ${method} only with an Idempotency-Key, the body unchanged`, async () => {
      await using script = await Script.start(status(503, AT_ONCE), status(200));
      const body = Buffer.from('a body');
      expect((await script.call({ method, body, headers: { retries: '1' } })).status).to.equal(503);
      expect(script.seen).to.have.length(1);

      await using again = await Script.start(status(503, AT_ONCE), status(200));
      const headers = { retries: '1', 'idempotency-key': 'k' };
      expect((await again.call({ method, body, headers })).status).to.equal(200);
      expect(again.seen.map((seen) => seen.body.toString())).to.deep.equal(['a body', 'a body']);
    });
  }

  it('do not repeat a body that is too large to be kept', async () => {
    await using script = await Script.start(status(503, AT_ONCE), status(200));
    const response = await script.call({ method: 'PUT', body: Buffer.alloc(MIB + 1), headers: { retries: '1' } });
    expect(response.status).to.equal(503);
  });

  it('read the credentials anew for each try', async () => {
    await using script = await Script.start((response, seen) => {
      script.proxy.vault.renew('renewed elsewhere');
      status(503, AT_ONCE)(response, seen);
    }, status(200));
    await script.call({ headers: { retries: '1' } });
    expect(script.seen[1]?.authorization).to.equal('Bearer renewed elsewhere');
  });

  it('do not wait longer than the call may take', async () => {
    await using script = await Script.start(status(429, { 'retry-after': '61' }));
    expect((await script.call({ headers: { retries: '3' } })).status).to.equal(429);
    expect(script.seen).to.have.length(1);
  });
});

describe('redirects of a proxied call (SSRF-03)', () => {
  for (const code of [301, 302, 303, 307, 308]) {
    it(`of ${code} are followed within the origin, with the credentials`, async () => {
      await using script = await Script.start(status(code, { location: '/next?a=b' }), status(200));
      expect((await script.call()).status).to.equal(200);
      expect(script.seen.map(({ url }) => url)).to.deep.equal(['/x', '/next?a=b']);
      expect(script.seen[1]?.authorization).to.equal(script.seen[0]?.authorization);
    });
  }

  it('end after five', async () => {
    await using script = await Script.start(status(302, { location: '/x' }));
    const response = await script.call();
    expect(response.status).to.equal(302);
    expect(response.headers['location']).to.equal('/x');
    expect(script.seen).to.have.length(6);
  });

  it('to another origin go to the caller, and nothing is sent there', async () => {
    await using elsewhere = await Script.start(status(200));
    const location = `http://127.0.0.1:${elsewhere.proxy.edge.port}/stolen`;
    await using script = await Script.start(status(302, { location }));
    const response = await script.call();
    expect(response.status).to.equal(302);
    expect(response.headers['location']).to.equal(location);
    expect(elsewhere.seen).to.deep.equal([]);
    expect(script.seen).to.have.length(1);
  });

  for (const method of ['POST', 'PUT', 'DELETE']) {
    it(`of ${method} go to the caller`, async () => {
      await using script = await Script.start(status(307, { location: '/next' }));
      expect((await script.call({ method, body: Buffer.from('x') })).status).to.equal(307);
      expect(script.seen).to.have.length(1);
    });
  }
});

describe('a proxied call', () => {
  it('is logged without its query, and marks the connection as used', async () => {
    await using script = await Script.start(status(200));
    await script.call({ path: '/proxy/items?api_key=secret' });
    const [operation] = script.proxy.operations;
    expect(operation).to.deep.include({ operation: 'GET', status: 'success' });
    expect(operation?.notes[0]?.facts).to.include({ path: '/proxy/items', status: 200 });
    expect(JSON.stringify(script.proxy.operations)).not.to.include('secret');
    expect(script.proxy.touched).to.deep.equal([7]);
  });

  for (const [what, headers, code, httpStatus] of [
    ['an unknown integration', { 'provider-config-key': 'other' }, 'unknown_provider_config', 404],
    ['an unknown connection', { 'connection-id': 'other' }, 'unknown_connection', 404],
    ['a wrong option', { retries: 'many' }, 'invalid_headers', 400],
    ['an unknown key', { authorization: 'Bearer nobody' }, 'unknown_account', 401],
  ] as const) {
    it(`is refused for ${what} in our own words`, async () => {
      await using script = await Script.start(status(200));
      const response = await script.call({ headers });
      expect(response.status).to.equal(httpStatus);
      expect(response.headers['svc-error']).to.equal(code);
      expect(script.seen).to.deep.equal([]);
    });
  }

  it('is refused for TRACE, which would show the credentials', async () => {
    await using script = await Script.start(status(200));
    expect((await script.call({ method: 'TRACE' })).status).to.equal(405);
    expect(script.seen).to.deep.equal([]);
  });

  for (const base_url of [
    'https://10.0.0.1',
    'https://127.0.0.1.nip.example@10.0.0.1',
    'http://api.example.com',
    'https://[::1]',
  ]) {
    it(`is refused for the base URL ${base_url}`, async () => {
      await using proxy = await startProxy({ proxy: { base_url } });
      const response = await send({ port: proxy.edge.port, path: '/proxy/x', headers: CALL_HEADERS });
      expect(response.status).to.equal(400);
      expect(response.headers['svc-error']).to.be.oneOf(['address_not_allowed', 'missing_api_url']);
    });
  }

  it('is refused when a part of the base URL is missing', async () => {
    await using proxy = await startProxy({ proxy: { base_url: 'https://${connectionConfig.subdomain}.example.com' } });
    const response = await send({ port: proxy.edge.port, path: '/proxy/x', headers: CALL_HEADERS });
    expect(response.headers['svc-error']).to.equal('missing_api_url');
  });

  it('carries the headers and the query of the definition, filled with the credentials', async () => {
    let seen: IncomingMessage | undefined;
    await using upstream = await serve((request, response) => {
      seen = request;
      response.end();
    });
    const proxy = {
      base_url: upstream.url,
      headers: { Authorization: 'Token ${accessToken}', 'X-Version': '2' },
      query: { key: '${connectionConfig.key}' },
    };
    await using harness = await startProxy({ proxy, connectionConfig: { key: 'a&b=c' } });
    const headers = { ...CALL_HEADERS, 'x-version': '1' };
    await send({ port: harness.edge.port, path: '/proxy/x?key=mine', headers });
    expect(seen?.headers).to.include({ authorization: `Token ${harness.vault.token}`, 'x-version': '2' });
    expect(seen?.url).to.equal('/x?key=a%26b%3Dc');
  });
});
