import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import {
  type Parameters,
  signatureBase,
  signatureFunction,
} from '../../core/auth-modes/building-blocks/oauth1-signature/signature.ts';
import { canary } from '../support/canaries.ts';
import { type LoopbackServer, serve } from '../support/loopback-server.ts';
import { CALL_HEADERS, startProxy } from '../support/proxy-harness.ts';
import { type Received, type Sent, send } from '../support/raw-http.ts';
import { useEach } from '../support/use.ts';

const at = { receivedAt: new Date(0).toISOString() };
const TOKEN_SECRET = canary('token secret');
const CLIENT = { clientId: 'consumer', clientSecret: canary('consumer secret'), scopes: [] };
const OWN = { clientId: 'own-consumer', clientSecret: canary('own consumer secret') };

const oauth1 = { type: 'OAUTH1', oauthToken: 'token', oauthTokenSecret: TOKEN_SECRET, raw: {}, ...at };
const tba = { type: 'TBA', tokenId: 'token', tokenSecret: TOKEN_SECRET, configOverride: OWN, ...at };
const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

interface Seen {
  readonly method: string;
  readonly target: string;
  readonly authorization: string;
  readonly body: Buffer;
  /** True if the signature matches the request that arrived. */
  readonly isSigned: boolean;
  readonly signed: Readonly<Record<string, string>>;
}

/** A provider that checks the signature of each request that it receives, as RFC 5849 §3.2 describes. */
class Checker implements AsyncDisposable {
  readonly seen: Seen[] = [];
  readonly responses: number[] = [];
  readonly consumerSecret: string;
  upstream: LoopbackServer | undefined;

  constructor(consumerSecret: string) {
    this.consumerSecret = consumerSecret;
  }

  async start(): Promise<this> {
    this.upstream = await serve((request, response) => {
      void this.#take(request).then(() => response.writeHead(this.responses.shift() ?? 200).end());
    });
    this.upstream.server.on('upgrade', (request, socket) => {
      void this.#take(request).then(() => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'));
    });
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.upstream?.[Symbol.asyncDispose]();
  }

  async #take(request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    if (request.headers.upgrade === undefined) for await (const chunk of request) chunks.push(chunk);
    const { method = '', url: target = '' } = request;
    const body = Buffer.concat(chunks);
    const signed = membersOf(request.headers.authorization ?? '');
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
    const covered = { method, origin: `http://${request.headers.host}`, path: target, at: new Date() };
    const { oauth_signature: signature, realm: _, ...rest } = signed;
    const protocol: Parameters = Object.entries(rest);
    const base = signatureBase({ ...covered, ...(isForm && { form: body.toString() }) }, protocol);
    const signatureMethod = signed['oauth_signature_method'] === 'HMAC-SHA256' ? 'HMAC-SHA256' : 'HMAC-SHA1';
    const secrets = { consumerSecret: this.consumerSecret, tokenSecret: TOKEN_SECRET };
    const isSigned = signature === signatureFunction(signatureMethod, secrets)(base);
    this.seen.push({ method, target, authorization: request.headers.authorization ?? '', body, isSigned, signed });
  }
}

/** Checks a condition after each turn of the event loop, since both sides are in this process. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn();
}

function membersOf(authorization: string): Record<string, string> {
  const pairs = [...authorization.matchAll(/(\w+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decodeURIComponent(value)]));
}

const CALLS: readonly (readonly [what: string, call: Partial<Sent>])[] = [
  ['a plain call', { path: '/proxy/me' }],
  ['a query with everything that encoders differ about', { path: '/proxy/a%20b/c?x=1%2B1&y=a+b&z=%C3%A9&x=0&empty&q=*!~' }],
  [
    'JSON, which the signature does not cover',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') },
  ],
  ['a covered form', { method: 'POST', path: '/proxy/f?a=1', headers: FORM, body: Buffer.from('status=Hello+%26+bye&a=2') }],
  ['a form without a length', { method: 'POST', headers: FORM, body: Buffer.from('b=%20&a=%2B'), chunked: true }],
  ['a form of half a MiB', { method: 'POST', headers: FORM, body: Buffer.from(`a=${'x'.repeat(512 * 1024)}`) }],
  ['a form without content', { method: 'POST', headers: FORM, body: Buffer.alloc(0) }],
  ['a deletion', { method: 'DELETE', path: '/proxy/things/1?really=yes' }],
];

const MODES = {
  OAUTH1: { credentials: oauth1, consumer: 'consumer', secret: CLIENT.clientSecret, method: 'HMAC-SHA1' },
  TBA: { credentials: tba, consumer: OWN.clientId, secret: OWN.clientSecret, method: 'HMAC-SHA256' },
};

for (const [name, mode] of Object.entries(MODES)) {
  describe(`a proxied call of the mode ${name}`, function () {
    const provider = useEach(this, () => new Checker(mode.secret).start());
    const proxy = useEach(this, () =>
      startProxy({
        proxy: { base_url: `${provider.upstream?.url}/api?v=2` },
        credentials: mode.credentials,
        client: CLIENT,
        connectionConfig: { accountId: '1234567-sb1' },
      }),
    );

    function call({ headers = {}, ...sent }: Partial<Sent> = {}): Promise<Received> {
      return send({ port: proxy.edge.port, path: '/proxy/x', ...sent, headers: { ...CALL_HEADERS, ...headers } });
    }

    for (const [what, sent] of CALLS) {
      it(`is signed: ${what}`, async () => {
        expect((await call(sent)).status).to.equal(200);
        const [seen] = provider.seen;
        expect(seen).to.include({ isSigned: true, method: sent.method ?? 'GET' });
        expect(seen?.body.equals(sent.body ?? Buffer.alloc(0))).to.equal(true);
        expect(seen?.signed).to.include({ oauth_consumer_key: mode.consumer, oauth_token: 'token', oauth_version: '1.0' });
        expect(seen?.signed).to.include({ oauth_signature_method: mode.method });
        expect(seen?.signed['realm']).to.equal(name === 'TBA' ? '1234567_SB1' : undefined);
      });
    }

    it('is signed anew for each try', async () => {
      provider.responses.push(503, 503);
      expect((await call({ headers: { retries: '2' } })).status).to.equal(200);
      expect(provider.seen.map(({ isSigned }) => isSigned)).to.deep.equal([true, true, true]);
      expect(new Set(provider.seen.map(({ signed }) => signed['oauth_nonce'])).size).to.equal(3);
    });

    it('is refused when its form is too large to be read before it is sent', async () => {
      const response = await call({ method: 'POST', headers: FORM, body: Buffer.alloc(1024 * 1024 + 1, 'a') });
      expect(response.status).to.equal(413);
      expect(response.headers['svc-error']).to.equal('payload_too_large');
      expect(provider.seen).to.deep.equal([]);
    });

    it('is not sent at all when the caller leaves in the middle of its form', async () => {
      const { port } = proxy.edge;
      const headers = { ...CALL_HEADERS, ...FORM, 'content-length': '100' };
      const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/proxy/x', headers, agent: false });
      request.on('error', () => undefined).write('a=1');
      await until(() => proxy.touched.length === 1);
      request.destroy();
      await until(() => proxy.operations.length === 1);
      expect(provider.seen).to.deep.equal([]);
      expect(proxy.operations.map(({ status }) => status)).to.deep.equal(['failure']);
    });

    it('replaces an Authorization of the caller', async () => {
      await call({ headers: { 'svc-proxy-authorization': 'OAuth own="1"' } });
      expect(provider.seen[0]?.authorization).to.match(/^OAuth (realm|oauth_consumer_key)=/);
    });

    it('is signed when it opens a WebSocket, too', async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${proxy.edge.port}/proxy/socket?a=1`, { headers: CALL_HEADERS });
      await once(socket, 'error');
      expect(provider.seen[0]).to.include({ isSigned: true, method: 'GET', target: '/api/socket?a=1&v=2' });
    });
  });
}

describe('a proxied call that cannot be signed', () => {
  it('is refused before anything is sent: no app', async () => {
    await using provider = await new Checker('').start();
    await using proxy = await startProxy({ proxy: { base_url: provider.upstream?.url ?? '' }, credentials: oauth1 });
    const response = await send({ port: proxy.edge.port, path: '/proxy/x', headers: CALL_HEADERS });
    expect([response.status, response.headers['svc-error']]).to.deep.equal([400, 'missing_client_id']);
    expect(provider.seen).to.deep.equal([]);
  });

  it('is refused before anything is sent: no account', async () => {
    await using provider = await new Checker('').start();
    await using proxy = await startProxy({ proxy: { base_url: provider.upstream?.url ?? '' }, credentials: tba });
    const response = await send({ port: proxy.edge.port, path: '/proxy/x', headers: CALL_HEADERS });
    expect([response.status, response.headers['svc-error']]).to.deep.equal([424, 'invalid_credentials']);
    expect(provider.seen).to.deep.equal([]);
  });
});
