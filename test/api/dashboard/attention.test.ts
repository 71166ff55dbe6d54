import { expect } from 'chai';
import { startApp } from '../../support/app.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { storeConnection, storeIntegration } from '../../support/stored.ts';
import { storeMessages } from '../../support/stored-messages.ts';
import { use, useEach } from '../../support/use.ts';

const HOUR_MS = 3_600_000;
const GIB = 2 ** 30;

describe('what needs attention in an environment', function () {
  const disk = { total: 100 * GIB, free: 50 * GIB };
  const app = use(this, () => startApp({ disk: async () => disk }));
  let viewer: TestMember;

  before(async () => {
    viewer = await signedInAs(app, 'viewer');
    await storeIntegration(app.api, 'acme');
  });

  /** Returns what needs attention, by kind. */
  const attention = async () => {
    const items: { kind: string }[] = (await viewer.ui.get('/api/ui/e/dev/activity')).body.data.attention;
    return Object.fromEntries(items.map((item) => [item.kind, item])) as Record<string, Record<string, unknown>>;
  };
  const degrade = async (columns: Record<string, unknown> = {}) => {
    const { connectionId } = await storeConnection(app, { key: 'acme' });
    const { db } = app.services;
    const state_since = db.raw(`now() - interval '51 minutes'`);
    await db('connections')
      .where({ connection_id: connectionId })
      .update({ state: 'degraded', state_cause: 'provider_unavailable', state_since, ...columns });
    return connectionId;
  };

  useEach(this, async () => ({
    [Symbol.asyncDispose]: async () => {
      const { db } = app.services;
      await app.services.activity.flush();
      for (const table of ['connections', 'operation_log', 'operation_counts', 'webhook_messages', 'webhook_targets'])
        await db(table).delete();
      Object.assign(disk, { total: 100 * GIB, free: 50 * GIB });
    },
  }));

  it('is nothing while all is well', async () => {
    await storeConnection(app, { key: 'acme' });
    expect(await attention()).to.deep.equal({});
  });

  it('is degraded connections by integration: how many, since when, how many calls fail, and the log entry that says why', async () => {
    await degrade();
    const connectionId = await degrade({ expires_at: app.services.db.raw(`now() - interval '1 minute'`) });
    const about = { environmentId: 1, connectionId, providerConfigKey: 'acme' };
    const failed = app.services.activity.begin({ type: 'refresh', operation: 'refresh', ...about });
    failed.describe({ summary: 'this machine cannot resolve acme.example (DNS): EAI_AGAIN' });
    failed.end('failure');
    const { degraded } = await attention();
    expect(degraded).to.deep.include({ count: 2, expired: 1, cause: 'provider_unavailable', log_id: failed.id });
    expect(degraded?.['summary']).to.contain('cannot resolve');
    expect(Date.now() - Date.parse(String(degraded?.['since']))).to.be.within(50 * 60_000, 52 * 60_000);
  });

  it('counts at most 1,000 connections of an integration', async () => {
    const connectionId = await degrade();
    await app.services.db.raw(
      `insert into connections (environment_id, integration_id, connection_id, credentials, state, state_since)
       select environment_id, integration_id, 'copy-' || n, credentials, 'degraded', now()
       from connections, generate_series(1, 1000) n where connection_id = ?`,
      [connectionId],
    );
    expect((await attention())['degraded']).to.include({ count: 1_000 });
  });

  it('is work that has been due for minutes, such as without a worker', async () => {
    await storeMessages(app, {}, {});
    expect(await attention()).not.to.have.property('work');
    const { db } = app.services;
    await db('webhook_messages').update({ next_attempt_at: db.raw(`now() - interval '6 minutes'`) });
    expect((await attention())['work']).to.include({ event: 'webhook', count: 2 });
    await db('webhook_targets').update({ open_until: db.raw(`now() + interval '1 minute'`) });
    expect(await attention(), 'held back by the breaker').not.to.have.property('work');
  });

  it('is a failing target while webhooks wait for it, with their number and the host alone', async () => {
    const { db } = app.services;
    await storeMessages(app, {}, {}, {});
    await db('webhook_targets').update({ failures: 12 });
    expect((await attention())['webhook_target']).to.include({
      name: 'nowhere.example',
      target: 'override',
      count: 3,
      is_paused: false,
    });
    await db('webhook_messages').update({ status: 'failed', next_attempt_at: null });
    expect(await attention()).to.have.keys('webhook_messages');
  });

  it('is failures that have risen against the day before, with what most of them have in common', async () => {
    const { activity } = app.services;
    const call = (status: 'success' | 'failure', hours = 0) => {
      const operation = activity.begin({
        ...{ type: 'proxy', operation: 'GET', environmentId: 1, providerConfigKey: 'acme', sinceMs: hours * HOUR_MS },
      });
      if (status === 'failure') operation.describe({ errorCode: 'provider_unreachable' });
      operation.end(status);
      return operation.id;
    };
    for (let count = 0; count < 10; count += 1) call('success', 10);
    for (let count = 0; count < 8; count += 1) call('failure', 12);
    for (let count = 0; count < 4; count += 1) call('failure');
    for (let count = 0; count < 6; count += 1) call('success');
    expect(await attention(), '4 of 10, as in the day before').to.deep.equal({});
    for (let count = 0; count < 4; count += 1) call('failure');
    const { failures } = await attention();
    expect(failures).to.deep.include({ event: 'proxy', count: 8, total: 14, cause: 'provider_unreachable' });
    expect(failures?.['share_before']).to.be.closeTo(8 / 18, 0.001);
    expect(failures?.['integration']).to.deep.include({ unique_key: 'acme' });
  });

  it('is deliveries that were refused several times', async () => {
    const { activity } = app.services;
    for (let count = 0; count < 5; count += 1) {
      const refused = activity.begin({ type: 'webhook', operation: 'refused', environmentId: 1, providerConfigKey: 'acme' });
      refused.describe({ summary: 'the signature is not valid' });
      refused.end('failure');
    }
    expect((await attention())['refused']).to.include({ count: 5, summary: 'the signature is not valid' });
  });

  it('is webhooks that could not be registered at their provider', async () => {
    const failed = app.services.activity.begin({
      ...{ type: 'webhook', operation: 'subscription', environmentId: 1, providerConfigKey: 'acme' },
    });
    failed.describe({ summary: 'webhooks could not be registered: 403' });
    failed.end('failure');
    const { subscription } = await attention();
    expect(subscription).to.include({ count: 1, summary: 'webhooks could not be registered: 403', log_id: failed.id });
  });

  it('is API keys in use that end within a week or have ended, and none that nobody uses', async () => {
    const { db } = app.services;
    const key = { account_id: 1, environment_id: 1, scopes: [], last4: 'abcd', mac: Buffer.alloc(1) };
    const inDays = (days: number) => db.raw(`now() + ? * interval '1 day'`, [days]);
    const stored = (name: string, expires: number, used: number) => ({
      ...{ ...key, name, secret_hash: Buffer.from(name) },
      ...{ expires_at: inDays(expires), last_used_at: inDays(used) },
    });
    await db('api_keys').insert([stored('unused', 3, -2), stored('far', 8, 0), stored('long-over', -8, -8.5)]);
    expect(await attention()).to.deep.equal({});
    await db('api_keys').insert([stored('ends', 3, -0.5)]);
    expect((await attention())['api_key']).to.include({ name: 'ends', is_account_key: false });
    await db('api_keys').where({ name: 'ends' }).delete();
    await db('api_keys').insert({ ...stored('over', -1, -1.5), environment_id: null });
    expect((await attention())['api_key']).to.include({ name: 'over', is_account_key: true });
    await db('api_keys').whereIn('name', ['unused', 'far', 'long-over', 'over']).delete();
  });

  it('is a disk that is nearly full', async () => {
    for (const [free, total] of [
      [19 * GIB, 100 * GIB],
      [50 * GIB, 1_000 * GIB],
    ] as const) {
      Object.assign(disk, { free, total });
      expect(await attention()).to.deep.equal({});
    }
    Object.assign(disk, { free: 4 * GIB, total: 100 * GIB });
    expect((await attention())['disk']).to.include({ free: 4 * GIB, total: 100 * GIB });
    Object.assign(disk, { free: GIB / 2, total: 2 * GIB });
    expect(await attention()).to.have.keys('disk');
  });
});
