import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { mock } from 'node:test';
import { expect } from 'chai';
import { KeySets } from '../../../../core/catalogue/webhooks/key-sets.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { createOutbound } from '../../../../core/kit/outbound.ts';
import { serve } from '../../../support/loopback-server.ts';
import { use } from '../../../support/use.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** An ingress request takes five seconds at most; the limit is larger because other tests run at the same time. */
const MAX_WAIT_MS = 20_000;

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keyOf = (kid: string) => ({ ...publicKey.export({ format: 'jwk' }), kid });
const headerOf = (kid: string) => ({ alg: 'ES256', kid });

const sets =
  (...kids: string[]): RequestListener =>
  (_, response) =>
    response.end(JSON.stringify({ keys: kids.map(keyOf) }));
const says =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

describe('the public keys of a provider', function () {
  let respond: RequestListener;
  let asked = 0;
  let keySets: KeySets;
  const outbound = use(this, () => createOutbound({ allow: ['127.0.0.1/32'] }));
  const server = use(this, () =>
    serve((request, response) => {
      asked += 1;
      respond(request, response);
    }),
  );

  beforeEach(() => {
    asked = 0;
    respond = sets('one');
    keySets = new KeySets({ outbound, log: createLogger({ level: 'silent' }) });
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
  });

  afterEach(() => mock.timers.reset());

  /** Returns the type of the key that is found, `none`, or the error code of the refusal. */
  async function find(kid: string, url = `${server.url}/jwks`): Promise<string> {
    try {
      return (await keySets.find(url, headerOf(kid)))?.type ?? 'none';
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return error.code;
    }
  }

  it('are fetched once for ten minutes, however many callers ask at the same time', async () => {
    expect(await Promise.all(Array.from({ length: 50 }, () => find('one')))).to.deep.equal(Array(50).fill('public'));
    mock.timers.tick(10 * MINUTE_MS - 1_000);
    expect(await find('one')).to.equal('public');
    expect(asked).to.equal(1);
    mock.timers.tick(1_000);
    expect(await find('one')).to.equal('public');
    expect(asked).to.equal(2);
  });

  it('are fetched again for an unknown key, at most once a minute', async () => {
    expect(await find('one')).to.equal('public');
    respond = sets('one', 'two');
    for (let made = 0; made < 20; made += 1) expect(await find(`made-up-${made}`)).to.equal('none');
    expect(asked).to.equal(1);
    mock.timers.tick(MINUTE_MS);
    expect(await find('two')).to.equal('public');
    for (let made = 0; made < 20; made += 1) expect(await find(`made-up-${made}`)).to.equal('none');
    expect(asked).to.equal(2);
  });

  it('are gone once the provider has withdrawn them', async () => {
    expect(await find('one')).to.equal('public');
    respond = sets('two');
    mock.timers.tick(10 * MINUTE_MS);
    expect(await find('one')).to.equal('none');
  });

  const FAILURES: Readonly<Record<string, RequestListener>> = {
    'responds with 500, whatever the body': says(500, JSON.stringify({ keys: [keyOf('one')] })),
    'responds with 204': says(204, ''),
    'responds with a page': says(200, '<html></html>', { 'content-type': 'text/html' }),
    'responds with JSON that is no key set': says(200, '{"keys": 1}'),
    'responds with null': says(200, 'null'),
    'responds with a list': says(200, '[]'),
    'responds with keys that are none': says(200, '{"keys": [1, null]}'),
    'responds with 101 keys': sets(...Array.from({ length: 101 }, (_, at) => `key-${at}`)),
    'responds with a megabyte': says(200, JSON.stringify({ keys: [keyOf('one')], padding: 'x'.repeat(2 ** 20) })),
    'leads elsewhere': (_, response) => response.writeHead(302, { location: `${server.url}/other` }).end(),
    'closes the connection within its response': (_, response) => response.socket?.end('HTTP/1.1'),
  };
  for (const [fault, failing] of Object.entries(FAILURES)) {
    it(`are unavailable when the provider ${fault}, and asked for again after ten seconds`, async () => {
      respond = failing;
      expect(await find('one')).to.equal('provider_unavailable');
      expect(await find('one')).to.equal('provider_unavailable');
      expect(asked).to.equal(1);
      respond = sets('one');
      mock.timers.tick(10_000);
      expect(await find('one')).to.equal('public');
      expect(asked).to.equal(2);
    });
  }

  it('are used for a day while the provider fails, but no key is declared unknown in that time', async () => {
    expect(await find('one')).to.equal('public');
    respond = says(500, '');
    for (let hour = 1; hour < 24; hour += 1) {
      mock.timers.tick(60 * MINUTE_MS);
      expect(await find('one'), `after ${hour} h`).to.equal('public');
    }
    expect(asked).to.equal(24);
    expect(await find('two')).to.equal('provider_unavailable');
    mock.timers.tick(60 * MINUTE_MS);
    expect(await find('one')).to.equal('provider_unavailable');
    respond = sets('one');
    mock.timers.tick(DAY_MS);
    expect(await find('one')).to.equal('public');
  });

  it('do not keep callers waiting for long when the provider hangs', async () => {
    const held: ServerResponse[] = [];
    respond = (_, response) => held.push(response);
    const begin = performance.now();
    expect(await Promise.all([find('one'), find('two'), find('one')])).to.deep.equal(Array(3).fill('provider_unavailable'));
    expect(performance.now() - begin).to.be.below(MAX_WAIT_MS);
    expect(held).to.have.length(1);
  });

  it('are unavailable with a time to retry', async () => {
    respond = says(500, '');
    const error = await keySets.find(server.url, headerOf('one')).catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(ServiceError).with.property('retryAfterSeconds', 10);
  });

  it('are kept for 100 URLs, of which the oldest is removed', async () => {
    for (let at = 0; at <= 100; at += 1) await find('one', `${server.url}/${at}`);
    expect(asked).to.equal(101);
    await find('one', `${server.url}/1`);
    expect(asked).to.equal(101);
    await find('one', `${server.url}/0`);
    expect(asked).to.equal(102);
  });

  const INNER: Readonly<Record<string, () => string>> = {
    'of a private address': () => `http://127.0.0.1:${server.port}/jwks`,
    'of a name that leads to a private address': () => `http://localhost:${server.port}/jwks`,
    'of a metadata service': () => 'http://169.254.169.254/latest/keys',
    'of a file': () => 'file:///etc/passwd',
    'of no address': () => 'keys',
  };
  for (const [name, addressOf] of Object.entries(INNER)) {
    it(`are never fetched ${name}`, async () => {
      let contacts = 0;
      const count = () => (contacts += 1);
      server.server.on('connection', count);
      await using guarded = createOutbound({ allow: [] });
      keySets = new KeySets({ outbound: guarded, log: createLogger({ level: 'silent' }) });
      expect(await find('one', addressOf())).to.equal('provider_unavailable');
      server.server.off('connection', count);
      expect([contacts, asked]).to.deep.equal([0, 0]);
    });
  }
});
