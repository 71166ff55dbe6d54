import { expect } from 'chai';
import { startApp } from '../../support/app.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { storeConnection, storeIntegration } from '../../support/stored.ts';
import { storeMessage } from '../../support/stored-messages.ts';
import { storeReceived } from '../../support/stored-received.ts';
import { use, useEach } from '../../support/use.ts';

const TAGS = { end_user_display_name: 'Jane Doe' };

interface Record {
  readonly provider_config_key: string;
  readonly connection_name: string | null;
  readonly integration: { readonly unique_key: string; readonly display_name: string } | null;
}

describe('what was recorded under the former key of an integration', function () {
  const app = use(this, () => startApp());
  let viewer: TestMember;
  const get = async (path: string): Promise<readonly Record[]> => (await viewer.ui.get(`/api/ui/e/dev/${path}`)).body.data;

  before(async () => {
    viewer = await signedInAs(app, 'viewer');
    await storeIntegration(app.api, 'before');
    const { connectionId } = await storeConnection(app, { key: 'before', tags: TAGS });
    const about = { environmentId: 1, connectionId, providerConfigKey: 'before' };
    app.services.activity.begin({ type: 'proxy', operation: 'GET', ...about }).end('failure');
    await storeReceived(app, { uniqueKey: 'before', type: 'issue.created', connectionIds: [connectionId] });
    await storeMessage(app, about);
    expect((await app.api.patch('/integrations/before', { unique_key: 'after', display_name: 'Acme' })).status).to.equal(200);
  });

  const LISTS = { 'in the log': 'logs?type=proxy', 'among webhooks': 'deliveries', 'among deliveries': 'received-webhooks' };
  for (const [where, path] of Object.entries(LISTS)) {
    const [list = '', query = ''] = path.split('?');

    it(`has the present names, and is found by the present key: ${where}`, async () => {
      const found = await get(`${list}?${query}&integration=after`);
      expect(found).to.have.length(1);
      expect(found[0]).to.deep.include({ provider_config_key: 'before', connection_name: 'Jane Doe' });
      expect(found[0]?.integration).to.include({ unique_key: 'after', display_name: 'Acme' });
    });
  }

  it('is found by the present key in the API', async () => {
    const { body } = await app.api.get('/webhook-messages?integration=after');
    expect(body.data).to.have.length(1);
    expect(body.data[0]).to.include({ provider_config_key: 'before' });
    const replayed = await app.api.post('/webhook-messages/replay?integration=after');
    expect(replayed.body.data.count).to.equal(1);
  });

  describe('once another integration has the key', function () {
    useEach(this, async () => {
      await storeIntegration(app.api, 'before');
      return { [Symbol.asyncDispose]: async () => void (await app.api.delete('/integrations/before')) };
    });

    it('has the names of that one, as what happens from then on', async () => {
      const [found] = await get('deliveries');
      expect(found?.integration).to.include({ unique_key: 'before' });
      expect(found?.connection_name).to.equal(null);
    });
  });
});
