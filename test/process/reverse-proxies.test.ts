import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { WebSocket, WebSocketServer } from 'ws';
import { checkNetwork } from '../../core/cli/doctor/network.ts';
import { KeyRing } from '../../core/kit/key-ring.ts';
import { startApp } from '../support/app.ts';
import { type DeployedProxy, PROXY_PROGRAMS, startDeployedProxy } from '../support/deployed-proxy.ts';
import { expectCheck, named } from '../support/doctor.ts';
import { listen } from '../support/listen.ts';
import { skipBecause } from '../support/skip.ts';
import { use } from '../support/use.ts';
import { words } from '../support/words.ts';

const TOKEN = 'metrics-token-'.padEnd(40, '0');
const METRICS = words`/metrics /metrics/ /metrics?x=1 //metrics /./metrics /x/../metrics /%6detrics /METRICS /metrics/. /metrics%2f`;
const LARGE_BODY = Buffer.alloc(20 * 1024 * 1024, 'x');

describe('reverse proxies, as deploy/ configures them', function () {
  this.timeout(60_000);
  const app = use(this, () => startApp({ env: { SVC_TRUSTED_PROXIES: '127.0.0.1/32', SVC_METRICS_TOKEN: TOKEN } }));
  const upstream = use(this, startUpstream);

  for (const proxy of PROXY_PROGRAMS)
    describe(proxy.program, () => {
      let service: DeployedProxy;
      let echo: DeployedProxy;

      before(async function () {
        if (spawnSync(proxy.program, ['-v']).error) skipBecause(this, `${proxy.program} is not installed`);
        service = await startDeployedProxy(proxy, [app.url]);
        echo = await startDeployedProxy(proxy, [upstream.url]);
      });

      after(async () => {
        await service?.[Symbol.asyncDispose]();
        await echo?.[Symbol.asyncDispose]();
      });

      it('lets `svc doctor` find the service, and passes long headers', async () => {
        const config = {
          SVC_BASE_URL: service.url,
          HOST: '127.0.0.1',
          PORT: Number(new URL(app.url).port),
          SVC_TRUSTED_PROXIES: ['127.0.0.1/32'],
        };
        const { checks } = await checkNetwork({ config, keys: KeyRing.parse(app.encryptionKeys), clock: app.clock });
        for (const name of ['public-url', 'proxy-headers', 'websocket', 'large-headers']) expectCheck(named(checks, name), 'ok');
      });

      for (const path of METRICS)
        it(`denies ${path}, also to who has the token`, async () => {
          expect((await get(app.url, '/metrics')).status, 'the service itself answers').to.equal(200);
          const { status, body } = await get(service.url, path);
          expect(status).to.be.oneOf([400, 404]);
          expect(body).not.to.contain('# HELP');
        });

      it('drops the addresses that a client claims', async () => {
        const claims = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' };
        const response = await fetch(`${echo.url}/headers`, { headers: claims });
        const headers: IncomingHttpHeaders = JSON.parse(await response.text());
        expect(headers['x-forwarded-for']).to.equal('127.0.0.1');
        expect(headers.forwarded ?? '').to.equal('');
      });

      it('carries a WebSocket', async () => {
        const client = new WebSocket(`${echo.url.replace('http', 'ws')}/proxy/live`);
        await once(client, 'open');
        for (const message of ['one', 'x'.repeat(300_000)]) {
          client.send(message);
          const [received] = await once(client, 'message');
          expect(String(received)).to.equal(message);
        }
        client.close();
        await once(client, 'close');
      });

      it('passes a large body, and the beginning of a response before its end', async () => {
        const response = await fetch(`${echo.url}/proxy/events`, { method: 'POST', body: LARGE_BODY });
        const reader = response.body?.getReader();
        const first = await reader?.read();
        expect(Buffer.from(first?.value ?? '').toString()).to.equal(`${LARGE_BODY.length}`);
        upstream.finish();
        expect(Buffer.from((await reader?.read())?.value ?? '').toString()).to.equal('end');
      });
    });
});

/** Sends a path as it is written, which `fetch` would normalize. */
async function get(url: string, path: string): Promise<{ readonly status: number; readonly body: string }> {
  const { hostname, port } = new URL(url);
  const call = request({ hostname, port, path, headers: { authorization: `Bearer ${TOKEN}` } }).end();
  const [response] = await once(call, 'response');
  return { status: response.statusCode, body: await text(response) };
}

interface Upstream extends AsyncDisposable {
  readonly url: string;
  /** Ends the response to the last request for `/proxy/events`. */
  finish(): void;
}

/** Starts a server in place of the service, which tells what has arrived. */
async function startUpstream(): Promise<Upstream> {
  let waiting: ServerResponse | undefined;
  const server = createServer(async (request, response) => {
    if (request.url !== '/proxy/events') return void response.end(JSON.stringify(request.headers));
    response.write(String((await text(request)).length));
    waiting = response;
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', (message) => socket.send(String(message))));
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    finish: () => void waiting?.end('end'),
    async [Symbol.asyncDispose]() {
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
