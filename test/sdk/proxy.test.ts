import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { error, FakeService, failure, json, svcError } from '../support/fake-service.ts';
import { useEach } from '../support/use.ts';

const ADDRESS = { connection_id: 'c', provider_config_key: 'k' };

describe('the proxy of the Node client', function () {
  const fake = useEach(this, () => new FakeService().open());

  it('sends its options to the service, and everything else to the provider', async () => {
    fake.respondWith(json(200, {}));
    await fake.svc.proxy.post('/repos?a=1', {
      ...ADDRESS,
      query: { b: [2, 3] },
      headers: { Accept: 'text/plain', Retries: 'for the provider' },
      json: { name: 'ü' },
      retries: 3,
      retryOn: [404, 409],
      baseUrlOverride: 'https://uploads.example.com',
      timeoutMs: 1500,
    });
    const [{ method, url, headers, body } = expect.fail('nothing came')] = fake.received;
    expect({ method, url, body }).to.deep.equal({ method: 'POST', url: '/proxy/repos?a=1&b=2&b=3', body: '{"name":"ü"}' });
    expect(headers).to.include({
      'connection-id': 'c',
      'provider-config-key': 'k',
      'content-type': 'application/json',
      'svc-proxy-accept': 'text/plain',
      'svc-proxy-retries': 'for the provider',
      retries: '3',
      'retry-on': '404,409',
      'base-url-override': 'https://uploads.example.com',
      'svc-timeout': '2',
    });
  });

  it('sends an ID in any script', async () => {
    fake.respondWith(json(200, {}));
    await fake.svc.proxy.get('/x', { ...ADDRESS, connection_id: 'größe-日本' });
    expect(Buffer.from(String(fake.received[0]?.headers['connection-id']), 'latin1').toString('utf8')).to.equal('größe-日本');
  });

  it('returns the provider’s responses, including errors and redirects', async () => {
    fake.respondWith(json(404, { not: 'ours' }), (response) => void response.writeHead(302, { location: '/connections' }).end());
    const missing = await fake.svc.proxy.get('missing', ADDRESS);
    expect([missing.status, await missing.json()]).to.deep.equal([404, { not: 'ours' }]);
    const moved = await fake.svc.proxy.get('moved', ADDRESS);
    expect([moved.status, moved.headers.get('location')]).to.deep.equal([302, '/connections']);
    expect(fake.received).to.have.length(2);
  });

  it('throws errors of the service itself', async () => {
    fake.respondWith(error(502, 'provider_unreachable', { 'svc-error': 'provider_unreachable' }));
    expect(await svcError(fake.svc.proxy.get('x', ADDRESS))).to.include({ status: 502, code: 'provider_unreachable' });
  });

  it('streams in both directions', async () => {
    fake.respondWith((response) => void response.writeHead(200).write('first'));
    const response = await fake.svc.proxy.put('stream', { ...ADDRESS, body: pieces(), timeoutMs: 30_000 });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).to.equal('first');
    await reader?.cancel();
    expect(fake.received[0]).to.include({ body: 'one two' });
    expect(fake.received[0]?.headers).to.include({ 'transfer-encoding': 'chunked' });
  });

  it('lets a body take longer than the timeout for its first byte', async () => {
    let open: ServerResponse | undefined;
    fake.respondWith((response) => {
      open = response;
      response.writeHead(200).write('begin');
    });
    const response = await fake.svc.proxy.get('slow', { ...ADDRESS, signal: AbortSignal.timeout(15_000) });
    open?.end(' and end');
    expect(await response.text()).to.equal('begin and end');
  });

  it('ends on its signal while the body streams', async () => {
    const controller = new AbortController();
    let left: Promise<unknown> | undefined;
    fake.respondWith((response) => {
      left = once(response, 'close');
      response.writeHead(200).write('begin');
    });
    const response = await fake.svc.proxy.get('slow', { ...ADDRESS, signal: controller.signal });
    controller.abort(new Error('enough'));
    expect(await failure(response.text())).to.have.property('message', 'enough');
    await left;
  });

  it('does not let a path lead back to the service, where the key would work', async () => {
    for (const path of ['../connections', '/%2e%2e/connections', 'a/../../connections', '..\\connections']) {
      expect(await failure(fake.svc.proxy.get(path, ADDRESS)), path).to.be.instanceOf(TypeError);
    }
    expect(fake.received).to.deep.equal([]);
  });
});

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (const piece of ['one', ' ', 'two']) yield new TextEncoder().encode(piece);
}
