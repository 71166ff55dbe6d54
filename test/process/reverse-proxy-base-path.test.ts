import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { WebSocket, WebSocketServer } from 'ws';
import { startApp } from '../support/app.ts';
import { withChromium } from '../support/browser.ts';
import { type DeployedProxy, PROXY_PROGRAMS, startDeployedProxy } from '../support/deployed-proxy.ts';
import { freePort } from '../support/free-port.ts';
import { listen } from '../support/listen.ts';
import { skipBecause } from '../support/skip.ts';
import { use } from '../support/use.ts';
import { words } from '../support/words.ts';

/** Paths and queries of proxied calls, which lead elsewhere if a reverse proxy decodes, normalizes or encodes anything. */
const TARGETS = words`
  /proxy/files/a%2Fb%2fc /proxy/a%20b /proxy//twice///thrice /proxy/caf%C3%A9/%e6%97%a5 /proxy/a/../b/./c /proxy/%2e%2e/x
  /proxy/a%252Fb /proxy/a;b=c/d:e@f$&+,= /proxy/x?a=%2F&b=c%20d+e&c=%C3%A9 /proxy/?x=../y /proxy/svc/svc/a
`;
const METRICS = words`/metrics /metrics?x=1 //metrics /%6detrics /METRICS /metrics/ /x/../metrics`;
const BASE_PATH = '/svc';

describe('reverse proxies, as deploy/ configures them for a service below a path', function () {
  this.timeout(60_000);
  const service = use(this, async () => {
    const [port, proxyPort] = [await freePort(), await freePort()];
    const env = {
      PORT: String(port),
      SVC_BASE_URL: `http://127.0.0.1:${proxyPort}${BASE_PATH}`,
      SVC_TRUSTED_PROXIES: '127.0.0.1/32',
      SVC_SECURITY_CONTACT: 'mailto:security@example.com',
    };
    const app = await startApp({ env });
    return { proxyPort, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
  const upstream = use(this, startUpstream);

  for (const proxy of PROXY_PROGRAMS)
    describe(proxy.program, () => {
      let front: DeployedProxy;
      let echo: DeployedProxy;

      before(async function () {
        if (spawnSync(proxy.program, ['-v']).error) skipBecause(this, `${proxy.program} is not installed`);
        front = await startDeployedProxy(proxy, [service.url], { port: service.proxyPort, hasBasePath: true });
        echo = await startDeployedProxy(proxy, [upstream.url], { hasBasePath: true });
      });

      after(async () => {
        await front?.[Symbol.asyncDispose]();
        await echo?.[Symbol.asyncDispose]();
      });

      for (const target of TARGETS)
        it(`removes the path alone from ${target}`, async () => {
          const { status, body } = await get(echo.url, `${BASE_PATH}${target}`);
          expect([status, body]).to.deep.equal([200, target]);
        });

      it(proxy.program === 'caddy' ? 'encodes marks in a path' : 'encodes no marks in a path', async () => {
        const { body } = await get(echo.url, `${BASE_PATH}/proxy/!'()*`);
        expect(body).to.equal(proxy.program === 'caddy' ? '/proxy/%21%27%28%29%2A' : "/proxy/!'()*");
      });

      it('carries a WebSocket', async () => {
        const client = new WebSocket(`${echo.url.replace('http', 'ws')}/proxy/live%2Fone`);
        client.on('open', () => client.send('a message'));
        const [received] = await once(client, 'message');
        expect(String(received)).to.equal('/proxy/live%2Fone a message');
        client.close();
        await once(client, 'close');
      });

      for (const path of METRICS)
        it(`denies ${path} below the path`, async () => {
          const { status, body } = await get(front.url, `${BASE_PATH}${path}`);
          expect(status).to.be.oneOf([400, 404]);
          expect(body).not.to.contain('# HELP');
        });

      it('passes nothing else of the host on, except for security.txt', async () => {
        for (const path of ['/proxy/a', '/metrics', '/svcx/proxy/a', '/x/../svc/proxy/a']) {
          const { body } = await get(echo.url, path);
          expect(body, path).not.to.match(/^\/(?:proxy|metrics)/);
        }
        // nginx answers the rest of the host from its own folder, and Caddy with an empty 200.
        if (proxy.program === 'haproxy') expect((await get(echo.url, '/')).status).to.equal(404);
        const { headers } = await get(front.url, BASE_PATH);
        expect(headers.location).to.match(/\/svc\/$/);
        const { body } = await get(front.url, '/.well-known/security.txt');
        expect(body).to.contain('Contact: mailto:security@example.com\n');
      });

      it('serves the pages for browsers with all of their files, in Chromium', async function () {
        await withChromium(this, async (browser) => {
          for (const path of ['/connect', '/e', '/docs']) {
            const page = await browser.newPage();
            const failed: string[] = [];
            page.on('response', (response) => void (response.status() >= 400 && failed.push(response.url())));
            page.on('pageerror', (error) => void failed.push(error.message));
            await page.goto(`${front.url}${path}`);
            await page.locator('#root, main', { hasText: /\S/ }).first().waitFor();
            expect(
              failed.filter((url) => !url.endsWith('/api/ui/me')),
              path,
            ).to.deep.equal([]);
            await page.close();
          }
        });
      });
    });
});

/** Sends a path as it is written, which `fetch` would normalize. */
async function get(url: string, path: string) {
  const { hostname, port } = new URL(url);
  const [response] = await once(request({ hostname, port, path }).end(), 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Starts a server in place of the service, which tells the target of each request. */
async function startUpstream() {
  const server = createServer((request, response) => response.end(request.url));
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { url }) => socket.on('message', (message) => socket.send(`${url} ${message}`)));
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
