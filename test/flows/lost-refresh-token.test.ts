import { expect } from 'chai';
import { reconnect } from '../support/connect.ts';
import { ConnectedInstallation } from '../support/connected-installation.ts';
import { enableWebhooks, storedWebhooks } from '../support/stored-webhooks.ts';
import { useEach } from '../support/use.ts';

const WITHOUT_REFRESH_TOKEN = { members: { refresh_token: undefined } };

describe('a reconnect whose response has no refresh token', function () {
  const setup = useEach(this, () => ConnectedInstallation.open());

  beforeEach(() => enableWebhooks(setup.installation.db));

  it('drops the previous refresh token, and page, webhook and log say so', async () => {
    setup.provider.next('token', WITHOUT_REFRESH_TOKEN);
    const page = await reconnect(setup.app, setup.connected);
    expect(page.text).to.contain('You may be asked to connect again.');
    const { body } = await setup.read('&refresh_token=true');
    expect(body.credentials).to.not.have.property('refresh_token');

    const [webhooks] = await overrides();
    expect(webhooks).to.include({ success: true });
    expect(webhooks.warning).to.have.all.keys('type', 'description').and.to.include({ type: 'no_refresh_token' });
    expect(await warnings()).to.deep.equal([{ warning: 'no_refresh_token' }]);
  });

  it('is the only kind of authorization that warns', async () => {
    setup.provider.next('token', WITHOUT_REFRESH_TOKEN, WITHOUT_REFRESH_TOKEN, {}, {});
    for (const hasWarning of [true, false, false, false]) {
      const page = await reconnect(setup.app, setup.connected);
      expect(page.text.includes('You may be asked to connect again.')).to.equal(hasWarning);
    }
    expect((await overrides()).map((body) => 'warning' in body)).to.deep.equal([true, false, false, false]);
    expect(await warnings()).to.have.lengthOf(1);
  });

  async function overrides() {
    return (await storedWebhooks(setup.app.services)).map(({ body }) => body).filter(({ operation }) => operation === 'override');
  }

  /** Returns the `facts` of each warning that the operation log has about reconnecting, as the API shows them. */
  async function warnings(): Promise<object[]> {
    await setup.app.services.activity.flush();
    const ids: string[] = await setup.app.database.db('operation_log').where({ operation: 'override' }).pluck('id');
    const logs = await Promise.all(ids.map((id) => setup.app.api.get(`/logs/${id}`)));
    const messages = logs.flatMap(({ body }) => body.data.messages);
    return messages.filter(({ level }) => level === 'warn').map(({ facts }) => facts);
  }
});
