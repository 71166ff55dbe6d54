import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { type Connected, connect } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { freePort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import { use } from '../support/use.ts';

const PATHS = ['/health', '/login', '/connect', '/openapi.json', '/integrations', '/nothing', '/proxy/status/200', '/proxy/x'];

describe('HSTS (RFC 6797)', function () {
  const provider = use(this, startFakeProvider);
  const installation = use(this, () => Installation.open());
  let app: TestApp;
  let connected: Connected;

  before(async () => {
    app = await installation.startApp();
    connected = await connect(app, provider);
  });

  const headerOf = async ({ url }: Pick<TestApp, 'url'>, path: string, key: string) => {
    const headers = { authorization: `Bearer ${key}`, 'provider-config-key': 'fake', 'connection-id': connected.connectionId };
    const response = await fetch(url + path, { headers, redirect: 'manual' });
    await response.arrayBuffer();
    return response.headers.get('strict-transport-security');
  };

  it('is in every response of a service with an https address, including errors and proxied ones', async () => {
    const port = await freePort();
    await installation.startApp({ SVC_BASE_URL: 'https://svc.example', PORT: String(port) });
    const secure = { url: `http://127.0.0.1:${port}` };
    for (const path of PATHS)
      for (const key of [app.apiKey, 'wrong']) expect(await headerOf(secure, path, key), path).to.equal('max-age=31536000');
  });

  it('is in no response of a service with plain http, where browsers ignore it', async () => {
    for (const path of PATHS) expect(await headerOf(app, path, app.apiKey), path).to.equal(null);
  });
});
