import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { readConnection, throughProxy } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { relayTo } from '../support/database-relay.ts';
import { Deliveries } from '../support/deliveries.ts';
import { matchAll } from '../support/hooked.ts';
import { HookedApp } from '../support/hooked-app.ts';
import { until } from '../support/until.ts';
import { use, useEach } from '../support/use.ts';
import { startScriptedService } from '../support/user-scripts.ts';

/** Returns the values of one metric by their labels, as they are written. */
async function valuesOf(app: Pick<TestApp, 'client'>, name: string): Promise<Readonly<Record<string, number>>> {
  const { text } = await app.client().get('/metrics');
  const samples = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    samples.map((line) => {
      const [, labels = '', value] = /^\w+(?:\{(.*)\})? (\S+)$/.exec(line) ?? expect.fail(`not a sample: ${line}`);
      return [labels.replaceAll('"', ''), Number(value)];
    }),
  );
}

describe('the metrics of calls, refreshes and scripts', function () {
  const service = useEach(this, () => startScriptedService({ withJobs: true }));

  it('count each by its provider and its outcome, and name nobody', async () => {
    await service.deploy('post-connection-creation', `export default async () => undefined;`);
    const { app, provider } = service;
    const connected = await service.connect();
    await service.ran('post-connection-creation');
    await throughProxy(app, connected, { path: '/me' });
    await throughProxy(app, { ...connected, connectionId: 'nobody' }, { path: '/me' });
    provider.next('api', { response: { status: 503 } });
    await throughProxy(app, connected, { path: '/me' });
    await app.clock.advance(3_601_000, app.database.db);
    await readConnection(app, connected);
    provider.grants.revoke(1);
    await app.clock.advance(3_601_000, app.database.db);
    await readConnection(app, connected);

    expect(await valuesOf(app, 'svc_proxied_calls_total')).to.deep.equal({
      'provider=generic-oauth,status=2xx,fault=none': 1,
      'provider=generic-oauth,status=5xx,fault=provider': 1,
      'provider=unknown,status=none,fault=caller': 1,
    });
    expect(await valuesOf(app, 'svc_refreshes_total')).to.deep.equal({
      'provider=generic-oauth,outcome=success': 1,
      'provider=generic-oauth,outcome=needs_reauth': 1,
    });
    expect(await valuesOf(app, 'svc_script_runs_total')).to.deep.equal({
      'event=post-connection-creation,outcome=done': 1,
    });
    expect(await valuesOf(app, 'svc_connections')).to.deep.equal({
      'state=healthy': 1,
      'state=degraded': 0,
      'state=needs_reauth': 1,
      'state=pending': 0,
    });
    const { text } = await app.client().get('/metrics');
    expect(text).not.to.contain(connected.connectionId).and.not.to.contain('"fake"');
  });
});

describe('the metrics of deliveries', function () {
  const hooked = use(this, () => HookedApp.open());

  it('count the accepted and the refused, the matched and the unmatched', async () => {
    await hooked.store({ metadata: { site: 'a' } });
    await hooked.deliver({ keys: [{ by: 'metadata', field: 'site', value: 'a' }] });
    await hooked.deliver();
    await hooked.deliver({}, { headers: { 'x-hook-signature': 'sha256=00' } });
    await hooked.app.client().post('/webhook/7b1c1b86-53f5-4d6c-b1a5-0f7f5c8b3d11/none', {});
    await matchAll(hooked.app);
    expect(await valuesOf(hooked.app, 'svc_deliveries_total')).to.deep.equal({
      'provider=hooked,outcome=accepted': 2,
      'provider=hooked,outcome=refused': 1,
      'provider=unknown,outcome=refused': 1,
    });
    expect(await valuesOf(hooked.app, 'svc_matches_total')).to.deep.equal({
      'provider=hooked,outcome=matched': 1,
      'provider=hooked,outcome=unmatched': 1,
    });
  });
});

describe('the metrics of webhooks', function () {
  const deliveries = use(this, () => Deliveries.open());

  it('count attempts, and tell how many webhooks wait and for how long', async () => {
    const { app, application } = deliveries;
    await deliveries.send(2);
    await deliveries.db('webhook_messages').update({ created_at: new Date(Date.now() - 90_000) });
    expect(await valuesOf(app, 'svc_webhooks_waiting')).to.deep.equal({ 'state=pending': 2, 'state=paused': 0 });
    const { 'state=pending': oldest } = await valuesOf(app, 'svc_webhooks_oldest_seconds');
    expect(oldest).to.be.within(90, 120);
    const { 'table=webhook-messages': due } = await valuesOf(app, 'svc_work_due');
    expect(due).to.equal(2);
    application.next('webhook', { response: { status: 500 } });
    await deliveries.deliver();
    await deliveries.untilStatus('delivered', 2);
    expect(await valuesOf(app, 'svc_webhook_attempts_total')).to.deep.equal({ 'outcome=delivered': 2, 'outcome=refused': 1 });
  });
});

describe('the metrics of the state', function () {
  const database = use(this, cloneDatabase);
  const relay = use(this, () => relayTo(database));
  const app = use(this, () => startApp({ database: relay.database }));

  it('say what runs, and how the pool is used', async () => {
    const build = `version=${app.services.version},node=${process.version},role=all`;
    expect(await valuesOf(app, 'svc_build_info')).to.deep.equal({ [build]: 1 });
    expect(await valuesOf(app, 'svc_database_connections')).to.have.keys('state=used', 'state=free', 'state=waited_for');
    expect(await valuesOf(app, 'svc_database_up')).to.deep.equal({ '': 1 });
    expect(await valuesOf(app, 'svc_degraded')).to.deep.equal({ 'cause=storage_full': 0, 'cause=clock_off': 0 });
    expect(await valuesOf(app, 'svc_leases')).to.have.keys('table=refreshes', 'table=script-queue', 'table=webhook-messages');
  });

  it('are without those of the database while it is unreachable', async () => {
    relay.cut();
    await until('the database is known to be away', async () => (await valuesOf(app, 'svc_database_up'))[''] === 0);
    expect(await valuesOf(app, 'svc_work_due')).to.deep.equal({});
    expect(await valuesOf(app, 'svc_http_requests_total')).not.to.deep.equal({});
    relay.restore();
    await until('the database is back', async () => (await valuesOf(app, 'svc_database_up'))[''] === 1);
    expect(await valuesOf(app, 'svc_work_due')).not.to.deep.equal({});
  });
});
