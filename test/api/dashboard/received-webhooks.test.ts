import { expect } from 'chai';
import type { OperationStatus } from '../../../core/journal/operation-log/operation-row.ts';
import { startApp } from '../../support/app.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { storeIntegration } from '../../support/stored.ts';
import { storeReceived } from '../../support/stored-received.ts';
import { use } from '../../support/use.ts';

describe('the summary of an integration’s log in the dashboard', function () {
  const app = use(this, () => startApp());
  let viewer: TestMember;
  const get = async (path: string) => (await viewer.ui.get(`/api/ui/e/dev/${path}`)).body.data;

  before(async () => {
    viewer = await signedInAs(app, 'viewer');
    for (const key of ['acme', 'other']) await storeIntegration(app.api, key);
  });

  const receive = (uniqueKey: string, type: string | undefined, connectionIds: readonly string[]) =>
    storeReceived(app, { uniqueKey, type, connectionIds });
  const operate = (type: 'webhook' | 'proxy', status: OperationStatus, sinceMs = 0) => {
    const about = { environmentId: 1, providerConfigKey: 'acme', operation: 'delivery', sinceMs };
    app.services.activity.begin({ type, ...about }).end(status);
  };

  it('lists the webhooks that were received, newest first, with their connections', async () => {
    await receive('acme', 'issue.created', ['c-1']);
    await receive('other', 'other', ['c-1']);
    operate('webhook', 'success');
    await receive('acme', undefined, []);
    await receive('acme', 'issue.closed', ['c-1', 'c-2']);
    const shown = (await get('integrations/acme/received-webhooks')).map(
      ({ log_id: _, at: __, integration: ___, ...one }: Logged) => one,
    );
    const named = { provider_config_key: 'acme', connection_name: null };
    const one = { ...named, is_verified: true, is_forwarded: true, refusal: null };
    expect(shown).to.deep.equal([
      { ...one, events: 'issue.closed', connections: 2, connection_id: null },
      { ...one, events: null, is_verified: false, connections: 0, connection_id: null },
      { ...one, events: 'issue.created', connections: 1, connection_id: 'c-1' },
    ]);
    expectError(await viewer.ui.get('/api/ui/e/dev/integrations/none/received-webhooks'), 'unknown_provider_config');
  });

  it('lists those of all integrations, or of one, by outcome', async () => {
    const all = await get('received-webhooks');
    expect(all.map(({ provider_config_key: key }: { provider_config_key: string }) => key)).to.include.members(['acme', 'other']);
    const ofOne = await get('received-webhooks?integration=other&outcome=accepted');
    expect(ofOne.map(({ events }: { events: string }) => events)).to.deep.equal(['other']);
    expect(await get('received-webhooks?outcome=refused')).to.deep.equal([]);
  });

  it('lists no more than twenty', async () => {
    for (let count = 0; count < 22; count += 1) await receive('other', 'other', ['c-1']);
    expect(await get('integrations/other/received-webhooks')).to.have.length(20);
  });

  it('counts failures within a day', async () => {
    for (const status of ['failure', 'failure', 'success', 'retrying', 'cancelled'] as const) operate('proxy', status);
    operate('proxy', 'failure', 25 * 3_600_000);
    await app.services.activity.flush();
    const rows: { unique_key: string; failures: number }[] = await get('integrations-overview');
    const counts = rows.map(({ unique_key: key, failures }) => [key, failures]);
    expect(counts).to.have.deep.members([
      ['acme', 2],
      ['other', 0],
    ]);
  });

  it('lists why others were refused, without displacing accepted ones', async () => {
    await storeIntegration(app.api, 'refusing');
    for (let count = 0; count < 11; count += 1) await receive('refusing', 'taken', ['c-1']);
    const { webhook_url: url } = (await app.api.get('/integrations/refusing?include=webhook')).body.data;
    for (let count = 0; count < 12; count += 1)
      expectError(await app.client().post(`${new URL(url).pathname}?svcTag=forged`, {}), 'webhook_invalid_signature');
    const listed: Logged[] = await get('integrations/refusing/received-webhooks');
    const refused = listed.slice(0, 10).map(({ refusal }) => refusal);
    const refusal = {
      code: 'webhook_invalid_signature',
      reason: 'this webhook URL was not created by this service: register the URL that the integration shows',
    };
    expect(refused).to.deep.equal(Array.from({ length: 10 }, () => refusal));
    expect(listed.slice(10).map(({ events }) => events)).to.deep.equal(Array.from({ length: 10 }, () => 'taken'));
  });

  it('lists those under a former key, with the time of their arrival', async () => {
    await storeIntegration(app.api, 'former');
    const arrivedAt = await receive('former', 'issue.created', ['c-1']);
    await app.api.patch('/integrations/former', { unique_key: 'present' });
    const [one]: Logged[] = await get('integrations/present/received-webhooks');
    expect(one).to.include({ events: 'issue.created', at: arrivedAt.toISOString() });
  });
});

interface Logged {
  readonly integration: object | null;
  readonly log_id: string;
  readonly at: string;
  readonly events: string;
  readonly refusal: object | null;
}
