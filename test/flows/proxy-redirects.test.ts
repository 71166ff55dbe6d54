import { expect } from 'chai';
import { serve } from '../support/loopback-server.ts';
import { CALL_HEADERS, startProxy } from '../support/proxy-harness.ts';
import { send } from '../support/raw-http.ts';

describe('a proxied call whose credentials are in the query', () => {
  it('carries them to where the provider redirects it within its origin (SSRF-03)', async () => {
    const seen: (string | undefined)[] = [];
    await using upstream = await serve((request, response) => {
      seen.push(request.url);
      if (seen.length === 1) response.writeHead(302, { location: '/next?page=2' }).end();
      else response.end('done');
    });
    const query = { api_key: `\${accessToken}` };
    await using proxy = await startProxy({ proxy: { base_url: upstream.url, query } });
    const response = await send({ port: proxy.edge.port, path: '/proxy/first?page=1', headers: CALL_HEADERS });
    const credential = `api_key=${encodeURIComponent(proxy.vault.token)}`;
    expect(response.status).to.equal(200);
    expect(seen).to.deep.equal([`/first?page=1&${credential}`, `/next?page=2&${credential}`]);
  });
});
