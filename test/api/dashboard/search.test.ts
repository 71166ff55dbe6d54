import { expect } from 'chai';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { storeConnection, storeIntegration } from '../../support/stored.ts';
import { startTenant } from '../../support/tenant.ts';
import { use } from '../../support/use.ts';

describe('the search of the dashboard', function () {
  const app = use(this, startTenant);
  let viewer: TestMember;
  const found = async (text: string) => {
    const { status, body } = await viewer.ui.get(`/api/ui/e/dev/search?search=${encodeURIComponent(text)}`);
    expect(status).to.equal(200);
    return body.data;
  };

  before(async () => {
    viewer = await signedInAs(app, 'viewer');
    await storeIntegration(app.api, 'desk');
    await app.api.patch('/integrations/desk', { display_name: 'Hellweg Dispo' });
    for (let n = 0; n < 7; n += 1)
      await storeConnection(app, {
        key: 'desk',
        connectionId: `c-${n}`,
        tags: { organization_id: 'hellweg', seat: `seat-${n}` },
      });
  });

  it('finds connections, the newest first, and says whether there are more', async () => {
    const { connections, has_more_connections } = await found('hellweg');
    expect(connections.map(({ connection_id: id }: Record<string, string>) => id)).to.deep.equal([
      'c-6',
      'c-5',
      'c-4',
      'c-3',
      'c-2',
    ]);
    expect(has_more_connections).to.equal(true);
    const one = await found('hellweg seat-3');
    expect(one.connections[0]).to.deep.include({ connection_id: 'c-3', tags: { organization_id: 'hellweg', seat: 'seat-3' } });
    expect([one.connections.length, one.has_more_connections]).to.deep.equal([1, false]);
  });

  it('finds integrations and operations', async () => {
    const { integrations, operations } = await found('dispo');
    expect(integrations).to.have.length(1);
    expect(integrations[0]).to.include({ unique_key: 'desk', display_name: 'Hellweg Dispo' });
    const [changed] = operations;
    expect(changed).to.deep.include({ operation: 'integration.update', provider_config_key: 'desk' });
    expect((await found(changed.id)).operations).to.deep.equal([changed]);
  });

  it('finds a webhook by its ID', async () => {
    const admin = await signedInAs(app, 'admin');
    await admin.ui.patch('/api/ui/e/dev/settings', { webhook_url: 'inbox' });
    await admin.ui.post('/api/ui/e/dev/webhook-messages/test', { type: 'auth' });
    const { body } = await admin.ui.get('/api/ui/e/dev/webhook-messages');
    const [{ id, type }] = body.data;
    expect((await found(id)).webhook).to.deep.include({ id, type });
    expect((await found('msg_of_nobody')).webhook).to.equal(null);
  });

  it('finds nothing for punctuation, and refuses an empty or a long text', async () => {
    const nothing = { connections: [], has_more_connections: false, integrations: [], operations: [], webhook: null };
    expect(await found('?!')).to.deep.equal(nothing);
    for (const text of ['', 'q'.repeat(256)])
      expectError(await viewer.ui.get(`/api/ui/e/dev/search?search=${text}`), 'invalid_query_params', ['search']);
  });
});
