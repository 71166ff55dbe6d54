import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { type AxiosResponse, refusal } from '../support/axios-request.ts';
import { type Connected, connect } from '../support/connect.ts';
import { ExistingClient, type ProxiedRequest } from '../support/existing-client.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { storeKey } from '../support/stored.ts';
import { use } from '../support/use.ts';

const OWN_NAMES = /^(acme-|svc-|connection-id|provider-config-key|base-url-override|retr|decompress|forward-headers)/i;

describe('a backend’s client of another product, through the proxy', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startApp({ env: { SVC_CLIENT_PREFIX: 'Acme' } }));
  let client: ExistingClient;
  let connected: Connected;

  before(async () => {
    client = clientOf(app.apiKey);
    connected = await connect(app, provider);
  });

  const clientOf = (apiKey: string) => new ExistingClient({ host: app.url, apiKey, prefix: 'Acme', isSync: true });

  function ask(request: Omit<ProxiedRequest, 'providerConfigKey' | 'connectionId'>, by = client): Promise<AxiosResponse> {
    return by.proxy({ providerConfigKey: connected.key, connectionId: connected.connectionId, ...request });
  }

  const asked = () => provider.ledger.of('api').at(-1) ?? expect.fail('the provider was not asked');
  const count = () => provider.ledger.of('api').length;

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    it(`calls the provider with ${method}, and with nothing that was meant for the service`, async () => {
      const data = ['GET', 'DELETE'].includes(method) ? undefined : { name: 'Zoë', list: [1, 2] };
      const response = await ask({ method, endpoint: '/echo', data });
      expect(response.status).to.equal(200);
      expect(response.data).to.include({ method, target: '/api/echo' });
      expect(asked().body.toString()).to.equal(data === undefined ? '' : JSON.stringify(data));
      if (data !== undefined) expect(asked().headers['content-type']).to.equal('application/json');
      expect(Object.keys(asked().headers).filter((name) => OWN_NAMES.test(name))).to.deep.equal([]);
      const { access_token: token } = (await client.getConnection(connected.key, connected.connectionId)).credentials;
      expect(asked().headers.authorization).to.equal(`Bearer ${token}`);
    });
  }

  it('accepts an endpoint without a slash, parameters, and headers under its own prefix', async () => {
    const headers = { 'X-Custom': 'a b', 'Accept-Language': 'de', 'Content-Type': 'text/plain', Authorization: 'Bearer mine' };
    const params = { q: 'a b&c', 'ids[]': '1', at: '10:30' };
    const response = await ask({ method: 'POST', endpoint: 'echo?page=2', headers, params, data: 'text' });
    expect(response.data.target).to.equal('/api/echo?page=2&q=a+b%26c&ids%5B%5D=1&at=10:30');
    expect(asked().headers).to.include({ 'x-custom': 'a b', 'accept-language': 'de', 'content-type': 'text/plain' });
    expect(asked().headers.authorization).not.to.equal('Bearer mine');
    expect(asked().rawHeaders.filter((name) => name.toLowerCase() === 'content-type')).to.have.length(1);
    expect(asked().body.toString()).to.equal('text');
  });

  it('posts without a body', async () => {
    const response = await ask({ method: 'POST', endpoint: '/echo' });
    expect(response.data).to.include({ method: 'POST', body_bytes: 0 });
  });

  it('tries again as often as it says, on the statuses that it names', async () => {
    provider.next('api', { response: { status: 418 } }, { response: { status: 503 } });
    const before = count();
    const response = await ask({ endpoint: '/me', retries: 2, retryOn: [418, 404] });
    expect([response.status, count() - before]).to.deep.equal([200, 3]);
  });

  for (const decompress of [true, false]) {
    it(`reads a compressed response ${decompress ? 'unpacked' : 'as it is'}`, async () => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      provider.next('api', { response: { status: 200, headers, body: gzipSync('{"packed":true}') } });
      const response = await ask({ endpoint: '/me', decompress });
      expect(response.data).to.deep.equal({ packed: true });
      expect(response.headers['content-encoding']).to.equal(decompress ? undefined : 'gzip');
    });
  }

  it('asks that its headers be kept on redirects', async () => {
    expect((await ask({ endpoint: '/me', forwardHeadersOnRedirect: true })).data).to.include({ name: 'Ada' });
  });

  it('names another base URL, if its key may', async () => {
    const scoped = clientOf((await storeKey(app, ['environment:proxy'])).secret);
    const request = { endpoint: '/api/me', baseUrlOverride: provider.url };
    expect((await ask(request)).data).to.include({ name: 'Ada' });
    const { status, data } = await refusal(ask(request, scoped));
    expect([status, data.error.code]).to.deep.equal([403, 'forbidden']);
  });

  for (const status of [400, 404, 422, 500]) {
    it(`gets the provider’s own ${status}`, async () => {
      const body = JSON.stringify({ error: { code: 'theirs', message: 'of the provider' } });
      provider.next('api', {
        response: { status, headers: { 'content-type': 'application/json', 'x-request-id': 'r-1' }, body },
      });
      const response = await refusal(ask({ endpoint: '/me' }));
      expect(response).to.deep.include({ status, data: JSON.parse(body) });
      expect(response.headers).to.include({ 'x-request-id': 'r-1' }).and.not.to.have.property('svc-error');
    });
  }

  it('gets no body with a 204', async () => {
    provider.next('api', { response: { status: 204 } });
    expect(await ask({ method: 'DELETE', endpoint: '/me' })).to.include({ status: 204, data: '' });
  });
});
