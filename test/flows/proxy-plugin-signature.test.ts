import { expect } from 'chai';
import { PluginProxy } from '../support/plugin-proxy.ts';
import type { Received, Sent } from '../support/raw-http.ts';
import { use } from '../support/use.ts';

/** A plugin that signs a call in the way that the call's header `x-do` names. */
const PLUGIN = `
import { createHash } from 'node:crypto';
import { PluginError, type ProviderPlugin, type SignableRequest, type SigningCredentials } from '#contract';

const seenBy = ({ method, url, headers, body, at }: SignableRequest, { tokens }: SigningCredentials) => ({
  'x-seen': [method, url.href, headers['x-decorated'], headers['host'], headers['authorization'], at instanceof Date].join(' '),
  'x-body': body === undefined ? 'none' : createHash('sha256').update(body).digest('hex'),
  'x-by': createHash('sha256').update(tokens.accessToken).digest('hex'),
});
const DEEDS: Record<string, (...all: [SignableRequest, SigningCredentials]) => unknown> = {
  sign: (...all) => ({ headers: seenBy(...all) }),
  body: (...all) => ({ headers: seenBy(...all) }),
  query: () => ({ query: { signature: 'a&b=c', at: '1' } }),
  replace: () => ({ headers: { 'X-Given': 'signed' } }),
  inPlace: (request) => {
    request.url.host = 'evil.example';
    (request.headers as Record<string, string>)['x-in-place'] = '1';
    return {};
  },
  nothing: () => undefined,
  promise: async () => ({}),
  list: () => ({ headers: [['x-a', '1']] }),
  url: ({ url }) => ({ url: new URL('https://evil.example/') }),
  host: () => ({ headers: { Host: 'evil.example' } }),
  length: () => ({ headers: { 'content-length': '3' } }),
  split: () => ({ headers: { 'x-a': 'a\\r\\nhost: evil.example' } }),
  name: () => ({ headers: { 'x a': 'b' } }),
  number: () => ({ query: { a: 1 } }),
  bug: (_, { tokens }) => { throw new TypeError('broken with ' + tokens.accessToken); },
  refusal: () => { throw new PluginError('invalid_credentials', 'the key is of another kind'); },
} as never;

export default {
  contract: 1,
  proxy: {
    decorate: (request) => ({ ...request, headers: { ...request.headers, 'x-decorated': 'before' } }),
    sign: (request, credentials) => DEEDS[request.headers['x-do'] ?? '']!(request, credentials) as never,
    signsBody: ({ headers }) => headers['x-do'] === 'body',
  },
} satisfies ProviderPlugin;
`;

const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const WRONG = ['nothing', 'promise', 'list', 'url', 'host', 'length', 'split', 'name', 'number', 'bug'];

describe('a plugin that signs proxied calls', function () {
  const service = use(this, () => PluginProxy.start('signing', PLUGIN));
  beforeEach(() => {
    for (const list of [service.seen, service.dialled, service.logLines]) list.splice(0);
  });

  function call(deed: string, sent: Partial<Sent> = {}): Promise<Received> {
    return service.call({ ...sent, headers: { 'x-do': deed, ...sent.headers } });
  }

  it('sees the request as it is sent, decorated, and the credentials, which are sent nowhere else', async () => {
    expect((await call('sign')).status).to.equal(200);
    const [request] = service.seen;
    expect(request?.headers['x-seen']).to.equal(`GET ${service.url}/api/x?a=1 before   true`);
    expect(request?.headers['x-by']).to.match(/^[0-9a-f]{64}$/);
    expect(request?.headers).to.not.have.property('authorization');
    expect(JSON.stringify(request)).to.not.contain(service.proxy.vault.token);
  });

  it('signs a body that it asks for, and no other', async () => {
    await call('body', { method: 'POST', body: Buffer.from('hello') });
    await call('sign', { method: 'POST', body: Buffer.from('hello') });
    expect(service.seen.map(({ headers }) => headers['x-body'])).to.deep.equal([HELLO, 'none']);
  });

  it('refuses a body that is too large to be signed, and streams it otherwise', async () => {
    const body = Buffer.alloc(1_100_000, 'a');
    expect((await call('body', { method: 'POST', body })).status).to.equal(413);
    expect(service.seen).to.deep.equal([]);
    expect((await call('sign', { method: 'POST', body })).status).to.equal(200);
  });

  it('adds parameters to the query, in place of those of the caller', async () => {
    await call('query', { path: '/proxy/x?signature=mine&b=%7e&at=0' });
    expect(service.seen[0]?.target).to.equal('/api/x?b=%7e&signature=a%26b%3Dc&at=1');
  });

  it('replaces headers of its names, and changes the request in no other way', async () => {
    await call('replace', { headers: { 'x-given': 'by the caller' } });
    await call('inPlace');
    const [replaced, inPlace] = service.seen;
    expect(replaced?.headers['x-given']).to.equal('signed');
    expect(inPlace?.target).to.equal('/api/x?a=1');
    expect(inPlace?.headers).to.not.have.property('x-in-place');
  });

  for (const deed of WRONG) {
    it(`sends nothing if it goes wrong: ${deed}`, async () => {
      const { status, body } = await call(deed);
      expect(status).to.equal(500);
      expect(JSON.parse(String(body)).error.message).to.not.contain(service.proxy.vault.token);
      expect([service.seen, service.dialled]).to.deep.equal([[], []]);
      expect(service.logLines.join()).to.contain('a plugin failed').and.to.not.contain(service.proxy.vault.token);
    });
  }

  it('may report that the credentials cannot be used to sign', async () => {
    const { status, body } = await call('refusal');
    expect([status, JSON.parse(String(body)).error]).to.deep.equal([
      424,
      { code: 'invalid_credentials', message: 'the key is of another kind' },
    ]);
  });
});
