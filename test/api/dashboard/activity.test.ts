import { expect } from 'chai';
import { insertEnvironment } from '../../../core/tenants/environments/environment-store.ts';
import { startApp } from '../../support/app.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { storeConnection, storeIntegration } from '../../support/stored.ts';
import { storeMessages } from '../../support/stored-messages.ts';
import { use } from '../../support/use.ts';

const HOUR_MS = 3_600_000;
const NONE = { total: 0, failed: 0 };

describe('the home of an environment', function () {
  const app = use(this, () => startApp());
  let viewer: TestMember;
  let elsewhere: number;
  const get = async (query = '') => (await viewer.ui.get(`/api/ui/e/dev/activity${query}`)).body.data;

  const attention = async () => (await get()).attention;
  /** The fields of an entry that say something, without its times. */
  const shown = ({ since: _since, until: _until, ...item }: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null && value !== false));

  before(async () => {
    viewer = await signedInAs(app, 'viewer');
    const { account_id: accountId } = await app.services.db('environments').where({ id: 1 }).first();
    ({ id: elsewhere } = await insertEnvironment(app.services.db, { accountId, name: 'elsewhere' }));
  });

  it('begins with empty buckets and nothing that needs attention', async () => {
    const { buckets, attention, failures, busiest } = await get();
    expect([buckets.length, attention, failures, busiest]).to.deep.equal([24, [], [], []]);
    expect(buckets[0]).to.deep.include({ proxy: NONE, refresh: NONE, received: NONE, delivery: NONE, script: NONE });
    expect(new Date(buckets[23].at).getTime()).to.equal(Math.floor(app.clock.now().getTime() / HOUR_MS) * HOUR_MS);
  });

  it('counts what happened in the hour and on the day it began, and nothing of other environments', async () => {
    const { activity } = app.services;
    const about = { operation: 'x', environmentId: 1 } as const;
    activity.begin({ ...about, type: 'proxy' }).end('success');
    activity.begin({ ...about, type: 'proxy' }).end('failure');
    activity.begin({ ...about, type: 'refresh', sinceMs: 3 * HOUR_MS }).end('retrying');
    activity.begin({ ...about, type: 'script', sinceMs: 3 * 24 * HOUR_MS }).end('success');
    activity.begin({ ...about, type: 'script', environmentId: elsewhere }).end('success');
    activity.count('delivery', { environmentId: 1, status: 'success' });
    activity.count('received', { environmentId: 1, status: 'failure' });
    const { buckets } = await get('?period=24h');
    expect(buckets[23]).to.deep.include({ proxy: { total: 2, failed: 1 }, delivery: { total: 1, failed: 0 }, script: NONE });
    expect(buckets[23].received).to.deep.equal({ total: 1, failed: 1 });
    expect(buckets[20].refresh).to.deep.equal({ total: 1, failed: 1 });
    const { buckets: days } = await get('?period=14d');
    expect([days.length, days[13].proxy.total, days[10].script.total]).to.deep.equal([14, 2, 1]);
    expectError(await viewer.ui.get('/api/ui/e/dev/activity?period=1y'), 'invalid_query_params');
  });

  it('shows the failures that happened last, those that say the same as one, and the busiest integrations', async () => {
    const { activity } = app.services;
    const key = await storeIntegration(app.api, 'busy');
    const call = (providerConfigKey: string, status: 'success' | 'failure', sinceMs: number) => {
      const operation = activity.begin({ type: 'proxy', operation: 'GET', environmentId: 1, providerConfigKey, sinceMs });
      operation.describe({ summary: `GET /${sinceMs}`, ...(status === 'failure' && { errorCode: 'timeout' }) });
      operation.end(status);
    };
    for (const [index, status] of (['success', 'failure', 'failure', 'success'] as const).entries())
      call(key, status, 10 + index);
    call('gone', 'failure', 5);
    const { failures, busiest } = await get();
    const names = await app.services.db('integrations').where({ unique_key: key }).first('display_name');
    const said = failures.map(({ integration, summary, count }: Record<string, unknown>) => ({ integration, summary, count }));
    const busy = { unique_key: key, ...names, logo: `${app.services.baseUrl}/logos/generic-oauth.svg` };
    const gone = { unique_key: 'gone', display_name: 'gone', logo: null };
    expect(said.slice(0, 2)).to.deep.equal([
      { integration: gone, summary: 'GET /5', count: 1 },
      { integration: busy, summary: 'GET /11', count: 2 },
    ]);
    expect(busiest).to.deep.equal([
      { integration: busy, total: 4, failed: 2 },
      { integration: gone, total: 1, failed: 1 },
    ]);
  });

  it('lists what needs attention, with the data for a link to it', async () => {
    const { db } = app.services;
    await storeIntegration(app.api, 'acme');
    for (const state of ['needs_reauth', 'needs_reauth', 'healthy']) {
      const { connectionId } = await storeConnection(app, { key: 'acme' });
      await db('connections').where({ connection_id: connectionId }).update({ state });
    }
    await app.api.post('/integrations', { unique_key: 'bare', provider: 'github', display_name: 'Bare' });
    const { id: integrationId } = await db('integrations').where({ unique_key: 'acme' }).first('id');
    const [script] = await db('scripts')
      .insert({ environment_id: 1, integration_id: integrationId, event: 'on-webhook', active_version: 1 })
      .returning('id');
    const run = { environment_id: 1, script_id: script.id, version: 1, duration_ms: 1, memory_mb: 1 };
    const now = app.clock.now();
    await db('script_runs').insert([
      { ...run, id: '019bc5d1-8000-7a0e-8f43-000000000001', status: 'done', started_at: new Date(now.getTime() - HOUR_MS) },
      { ...run, id: '019bc5d1-8000-7a0e-8f43-000000000002', status: 'failed', started_at: now },
    ]);
    await db('webhook_targets').insert({ environment_id: 1, slot: 'primary', paused_at: now });
    await db('webhook_targets').insert({ environment_id: elsewhere, slot: 'primary', failures: 1_000 });
    await db('webhook_targets').insert({ environment_id: 1, slot: 'secondary', failures: 1 });
    await storeMessages(app, {}, {});
    await db('webhook_messages').update({ status: 'failed', next_attempt_at: null });
    await storeMessages(app, {});
    const found = await attention();
    const acme = { unique_key: 'acme', display_name: found[1].integration.display_name };
    expect(found.map(shown)).to.deep.equal([
      { kind: 'webhook_target', target: 'primary', is_paused: true, count: 0 },
      { kind: 'reconnect', integration: acme, count: 2 },
      { kind: 'webhook_messages', count: 2 },
      { kind: 'script', integration: acme, event: 'on-webhook' },
      { kind: 'client', integration: { unique_key: 'bare', display_name: 'Bare' } },
    ]);
    const [target, , , failing] = found;
    expect(target.since).to.equal(now.toISOString());
    expect(failing.since).to.equal(now.toISOString());
  });
});
