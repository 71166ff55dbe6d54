import { expect } from 'chai';
import { PluginProxy } from '../support/plugin-proxy.ts';
import { use } from '../support/use.ts';

/** More milliseconds than a proxied call may take in total. */
const MUCH = 10 * 60_000;

/**
 * A plugin that asks svc to repeat a call after the wait that a response header names, and behaves wrongly if the header says
 * `bug` or `nonsense`.
 */
const PLUGIN = `
import type { ProviderPlugin } from '#contract';

export default {
  contract: 1,
  proxy: {
    retryAfter(status, headers) {
      const wait = headers['x-wait'];
      if (wait === 'bug') throw new TypeError('broken');
      if (wait === 'nonsense') return Number.NaN;
      return status === 420 || wait !== undefined ? Number(wait ?? 0) : undefined;
    },
  },
} satisfies ProviderPlugin;
`;

describe('a plugin that asks for another try', function () {
  const service = use(this, () => PluginProxy.start('patient', PLUGIN));
  beforeEach(() => {
    for (const list of [service.seen, service.responses, service.logLines]) list.splice(0);
  });

  const later = (wait: string, status = 420) => {
    service.responses.push((response) => response.writeHead(status, { 'X-Wait': wait }).end('later'));
  };

  it('gets one, although the caller asked for none', async () => {
    later('0');
    const response = await service.call();
    expect([response.status, response.body.toString()]).to.deep.equal([200, 'fine']);
    expect(service.seen).to.have.length(2);
  });

  it('gets one after any status, of any method without a body', async () => {
    later('5', 200);
    expect((await service.call({ method: 'POST', body: Buffer.alloc(0) })).status).to.equal(200);
    expect(service.seen.map(({ method }) => method)).to.deep.equal(['POST', 'POST']);
  });

  it('gets one only: the second response is the caller’s', async () => {
    later('0');
    later('0');
    const response = await service.call();
    expect([response.status, response.body.toString()]).to.deep.equal([420, 'later']);
    expect(service.seen).to.have.length(2);
  });

  it('gets none for a request with a body', async () => {
    later('0');
    expect((await service.call({ method: 'PUT', body: Buffer.from('a') })).status).to.equal(420);
    expect(service.seen).to.have.length(1);
  });

  it('gets none that would come after the deadline of the call', async () => {
    later(String(MUCH));
    const response = await service.call();
    expect([response.status, response.body.toString()]).to.deep.equal([420, 'later']);
    later('Infinity');
    expect((await service.call()).status).to.equal(420);
  });

  it('does not use up the caller’s own tries', async () => {
    later('0');
    service.responses.push((response) => response.writeHead(503).end());
    expect((await service.call({ headers: { retries: '1' } })).status).to.equal(200);
    expect(service.seen).to.have.length(3);
  });

  it('leaves responses alone that it does not know', async () => {
    service.responses.push((response) => response.writeHead(500).end('no'));
    expect((await service.call()).status).to.equal(500);
    expect(service.seen).to.have.length(1);
  });

  for (const wait of ['bug', 'nonsense']) {
    it(`fails the call when it has a bug: ${wait}`, async () => {
      later(wait);
      const response = await service.call();
      expect([response.status, response.headers['svc-error']]).to.deep.equal([500, 'server_error']);
      expect(service.logLines.filter((line) => line.includes('proxy.retryAfter'))).to.have.length(1);
      expect(service.seen).to.have.length(1);
    });
  }
});
