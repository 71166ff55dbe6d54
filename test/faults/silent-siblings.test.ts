import { expect } from 'chai';
import { deletionWorker } from '../../core/connect/deletion/connection-deleting.ts';
import { erasureWorker } from '../../core/connect/deletion/erasure-worker.ts';
import { subscriptionWorker } from '../../core/connect/subscriptions/subscription-worker.ts';
import { refreshWorker } from '../../core/credentials/refresh-worker.ts';
import type { MaintenanceDeps } from '../../core/operate/deps.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { mustBe } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import { serve } from '../support/loopback-server.ts';
import { storeConnection, storeTenant, type Tenant } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const PROVIDER = {
  'calling/provider.json': JSON.stringify({ display_name: 'Calling', docs: 'https://docs.example.com', auth_mode: 'API_KEY' }),
  'calling/plugin.ts': `
import { type HookContext, PluginError, type ProviderPlugin } from '#contract';

async function call({ fetch, connection }: HookContext, path: string) {
  const response = await fetch(String(connection.connectionConfig.url) + path);
  if (response.status !== 200) throw new PluginError('provider_unavailable', 'later');
  return { id: 1 };
}

export default {
  contract: 1,
  connection: { verify: async (ctx) => void (await call(ctx, '/verify')), revoke: async (ctx) => void (await call(ctx, '/revoke')) },
  subscriptions: {
    subscribe: (ctx) => call(ctx, '/subscribe'),
    renew: { everyDays: 1, run: (ctx) => call(ctx, '/renew') },
    unsubscribe: async () => undefined,
  },
} satisfies ProviderPlugin;
`,
};
/** The number of connections at the silent provider, which is more than a worker handles at the same time. */
const SILENT = 60;
const HEALTHY = 5;
/** Five times as long as the calls should take. The service gives up a call without a response after 10 s. */
const WITHIN_MS = 25_000;

describe('a provider that accepts requests and never responds does not delay other tenants', function () {
  this.timeout(90_000);
  const asked: string[] = [];
  const silent = use(this, () => serve(() => undefined));
  const healthy = use(this, () =>
    serve((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    }),
  );
  const folders = use(this, () => makeFolders(PROVIDER));
  const app = use(this, () => startApp({ env: { SVC_PLUGINS_DIR: folders.path } }));
  let other: Tenant;

  before(async () => {
    other = await storeTenant(app, 'other');
    mustBe(200, await app.api.post('/integrations', { unique_key: 'silent', provider: 'calling' }));
    mustBe(200, await other.api.post('/integrations', { unique_key: 'healthy', provider: 'calling' }));
  });
  beforeEach(async () => {
    asked.splice(0);
    await app.database.db('connections').delete();
  });

  /** Stores connections of both tenants, those of the silent provider first. */
  async function store(subscription: object = {}): Promise<void> {
    const credentials = { type: 'API_KEY', apiKey: canary('API key'), raw: {}, receivedAt: new Date().toISOString() } as never;
    const ours = { key: 'silent', credentials, connectionConfig: { url: silent.url } };
    for (let count = 0; count < SILENT; count += 1) await storeConnection(app, ours);
    const theirs = { key: 'healthy', credentials, environmentId: other.environmentId, connectionConfig: { url: healthy.url } };
    for (let count = 0; count < HEALTHY; count += 1) await storeConnection(app, theirs);
    await app.database.db('connections').update({ subscription: JSON.stringify(subscription) });
  }

  async function expectHealthy(worker: MaintenanceDeps['dueWorkers'][number], path: string, calls = HEALTHY): Promise<void> {
    worker.start();
    await until(`${path} is called`, () => asked.filter((one) => one === path).length === calls, WITHIN_MS);
    silent.server.closeAllConnections();
    await worker.stop();
    silent.server.closeAllConnections();
  }

  const raw = (sql: string) => app.database.db.raw(sql);

  it('when credentials are verified', async () => {
    await store();
    await app.database.db('refreshes').update({ due_at: app.database.db.raw(`now() - interval '1 hour'`) });
    await expectHealthy(refreshWorker(app.services), '/verify');
  });

  for (const [what, path, subscription] of [
    ['registered', '/subscribe', {}],
    ['renewed', '/renew', { id: 1 }],
  ] as const)
    it(`when webhooks are ${what}`, async () => {
      await store(subscription);
      await raw(`insert into due_subscriptions (connection_id, environment_id, integration_id)
        select id, environment_id, integration_id from connections`);
      await expectHealthy(subscriptionWorker(app.services), path);
    });

  it('when credentials of deleted connections are revoked', async () => {
    await store();
    await raw('update connections set deleted_at = now()');
    await raw(`insert into connection_deletions (connection_id, environment_id, integration_id, step, due_at)
      select id, environment_id, integration_id, 'revoke', now() from connections`);
    await expectHealthy(deletionWorker(app.services), '/revoke');
  });

  it('when integrations are erased', async () => {
    await store();
    mustBe(200, await app.api.delete('/integrations/silent'));
    mustBe(200, await other.api.delete('/integrations/healthy'));
    await expectHealthy(erasureWorker(app.services), '/revoke');
    expect(await app.database.db('integrations').pluck('unique_key')).to.include('silent');
  });
});
