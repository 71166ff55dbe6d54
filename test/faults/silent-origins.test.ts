import { expect } from 'chai';
import { refreshWorker } from '../../core/credentials/refresh-worker.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { mustBe } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import { HOSTED } from '../support/hosted-provider.ts';
import { type LoopbackServer, serve } from '../support/loopback-server.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const HEALTHY = 50;
/** The number of hosts that never respond, which is more than a worker calls at the same time. */
const SILENT_HOSTS = 60;
/** Five times as long as the refreshes should take. */
const WITHIN_MS = 50_000;

/** Starts a server that accepts requests and never responds. */
function startSilent(): Promise<LoopbackServer> {
  return serve(() => undefined);
}

describe('providers that accept requests and never respond', function () {
  this.timeout(120_000);
  const healthy = use(this, () =>
    serve((request, response) => {
      request.resume();
      const tokens = { access_token: canary('access token'), refresh_token: canary('refresh token'), expires_in: 3600 };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(tokens));
    }),
  );
  const silent = use(this, startSilent);
  const folders = use(this, () => makeFolders({ 'hosted/provider.json': JSON.stringify(HOSTED) }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  before(async () => {
    const credentials = { type: 'OAUTH2', client_id: 'client', client_secret: canary('client secret') };
    for (const unique_key of ['silent', 'healthy'])
      mustBe(200, await app.api.post('/integrations', { unique_key, provider: 'hosted', credentials }));
  });
  beforeEach(() => app.database.db('connections').delete());

  it('do not delay others: 400 refreshes at one silent host, due first, and 50 elsewhere', async () => {
    await using worker = refreshWorker(app.services);
    await importDue('silent', Array<string>(400).fill(silent.url));
    await refreshesHealthy(worker);
    expect(await app.database.db('refreshes').whereNotNull('owner')).to.have.length.within(1, 10);
    silent.server.closeAllConnections();
  });

  it('do not delay others: more silent hosts than a worker calls at once, which one end user can cause', async () => {
    await using worker = refreshWorker(app.services);
    await using stack = new AsyncDisposableStack();
    const hosts: string[] = [];
    for (let count = 0; count < SILENT_HOSTS; count += 1) hosts.push(stack.use(await startSilent()).url);
    await importDue('silent', hosts);
    await refreshesHealthy(worker);
    expect(await app.database.db('refreshes').whereNotNull('owner')).to.have.length.of.at.least(SILENT_HOSTS);
  });

  async function refreshesHealthy(worker: ReturnType<typeof refreshWorker>): Promise<void> {
    await importDue('healthy', Array<string>(HEALTHY).fill(healthy.url));
    worker.start();
    const refreshed = () => app.database.db('connections').where({ generation: 2 });
    await until('the healthy ones are refreshed', async () => (await refreshed()).length === HEALTHY, WITHIN_MS);
  }

  /** Imports expired tokens. Those of earlier calls are due before those of later calls. */
  async function importDue(provider_config_key: string, servers: readonly string[]): Promise<void> {
    const expires_at = new Date(Date.now() - 1_000).toISOString();
    for (const server of servers) {
      const tokens = { access_token: canary('imported access token'), refresh_token: canary('imported refresh token') };
      const credentials = { type: 'OAUTH2', ...tokens, expires_at };
      const body = { provider_config_key, credentials, connection_config: { server } };
      mustBe(200, await app.api.post('/connections', body));
    }
  }
});
