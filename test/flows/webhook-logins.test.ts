import { expect } from 'chai';
import { deleteUnusedLogins } from '../../core/tenants/environments/webhook-login-store.ts';
import { canary } from '../support/canaries.ts';
import { createSession, mustBe } from '../support/connect.ts';
import { signedInAs, type TestMember } from '../support/dashboard/members.ts';
import { Deliveries } from '../support/deliveries.ts';
import { type FakeApplication, startFakeApplication } from '../support/fake-application.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { use, useEach } from '../support/use.ts';

const E = '/api/ui/e/dev';

describe('webhook URLs with user name and password', function () {
  const deliveries = useEach(this, () => Deliveries.open());
  const other: FakeApplication = use(this, startFakeApplication);
  const password = `${canary('password of a webhook URL')}:%/ü`;
  const basic = `Basic ${Buffer.from(`jane:${password}`).toString('base64')}`;
  let admin: TestMember;

  beforeEach(async () => {
    admin = await signedInAs(deliveries.app, 'admin');
    await storeIntegration(deliveries.app.api, 'plain');
    await deliveries.deliver();
  });

  const withLogin = (url: string, secret = password) => url.replace('//', `//jane:${encodeURIComponent(secret)}@`);
  const settings = async (change: object) => {
    const changed = await admin.ui.patch(`${E}/settings`, change);
    mustBe(200, changed);
    return changed.body.data;
  };
  const api = () => deliveries.app.api;

  /** Sends a test webhook. @returns the `Authorization` header that the application received with it */
  async function authorizationOf(application: FakeApplication): Promise<string | undefined> {
    const before = application.ledger.entries.length;
    await api().post('/webhook-messages/test', { type: 'auth' });
    await application.ledger.arrived('webhook', before + 1);
    return application.ledger.entries.at(-1)?.headers.authorization;
  }

  it('are stored and shown without the login, which is sent as Basic authentication', async () => {
    const { url } = deliveries.application;
    const data = await settings({ webhook_url: withLogin(`${url}/in`) });
    expect(data.webhook_url).to.equal(`${url}/in`);
    expect(await authorizationOf(deliveries.application)).to.equal(basic);
    const [row] = await deliveries.db('webhook_logins').select('url', 'login');
    expect(row.url).to.equal(`${url}/in`);
    expect(row.login.toString('latin1')).not.to.contain('jane');
  });

  it('keep the login when the shown URL is saved, accept a new one, and lose it with another host', async () => {
    const { url } = deliveries.application;
    const shown = (await settings({ webhook_url: withLogin(url) })).webhook_url;
    await settings({ webhook_url: shown });
    expect(await authorizationOf(deliveries.application)).to.equal(basic);
    await settings({ webhook_url: withLogin(url, 'second') });
    expect(await authorizationOf(deliveries.application)).to.equal(`Basic ${Buffer.from('jane:second').toString('base64')}`);
    await settings({ webhook_url: other.url });
    expect(await authorizationOf(other)).to.equal(undefined);
    await settings({ webhook_url: shown });
    expect(await authorizationOf(deliveries.application)).to.equal(undefined);
  });

  it('of a connection are set by session, import and change, and do not affect those of the settings', async () => {
    const url = `${deliveries.application.url}/`;
    await settings({ webhook_url: withLogin(url, 'of the settings') });
    const { connectionId } = await storeConnection(deliveries.app, { key: 'plain' });
    const address = `/connections/${connectionId}?provider_config_key=plain`;
    mustBe(200, await api().patch(address, { webhook_url_override: withLogin(url) }));
    const stored = await deliveries.db('connections').where({ connection_id: connectionId }).first('webhook_url_override');
    expect(stored.webhook_url_override).to.equal(url);
    const ids = await deliveries.send(1, { connectionId, providerConfigKey: 'plain', webhookUrlOverride: url });
    await deliveries.untilStatus('delivered', 1);
    expect(deliveries.received().get(String(ids[0]))?.[0]?.headers.authorization).to.equal(basic);
    expect(await authorizationOf(deliveries.application))
      .to.match(/^Basic /)
      .and.not.to.equal(basic);

    const imported = {
      connection_id: 'imported',
      provider_config_key: 'plain',
      credentials: { type: 'OAUTH2', access_token: canary('imported access token') },
      webhook_url_override: withLogin(`${url}imported`),
    };
    mustBe(200, await api().post('/connections', imported));
    await createSession(deliveries.app, { webhook_url_override: withLogin(`${url}session`) });
    const kept = await deliveries.db('webhook_logins').where({ of: 'connections' }).orderBy('id').pluck('url');
    expect(kept).to.deep.equal([url, `${url}imported`, `${url}session`]);
  });

  it('of a connection have their logins deleted a day after nothing uses them', async () => {
    const { connectionId } = await storeConnection(deliveries.app, { key: 'plain' });
    const address = `/connections/${connectionId}?provider_config_key=plain`;
    const [had, has] = [`${other.url}/had`, `${other.url}/has`];
    for (const url of [had, has]) mustBe(200, await api().patch(address, { webhook_url_override: withLogin(url) }));
    const kept = () => deliveries.db('webhook_logins').orderBy('id').pluck('url');
    expect(await deleteUnusedLogins(deliveries.db, 10)).to.equal(0);
    await deliveries.db('webhook_logins').update({ created_at: deliveries.db.raw("now() - interval '25 hours'") });
    await deliveries.send(1, { connectionId, providerConfigKey: 'plain', webhookUrlOverride: `${other.url}/had` });
    await deliveries.untilStatus('delivered', 1);
    expect(await deleteUnusedLogins(deliveries.db, 10)).to.equal(1);
    expect(await kept()).to.deep.equal([has]);
  });

  it('are refused with a name that Basic cannot carry, and as callback URLs', async () => {
    for (const login of ['a%3Ab:c', '%zz:c'])
      expectError(await admin.ui.patch(`${E}/settings`, { webhook_url: `https://${login}@app.example/` }), 'invalid_body', [
        'webhook_url',
      ]);
    const callback = await admin.ui.patch(`${E}/settings`, { callback_url: 'https://jane:secret@app.example/' });
    expectError(callback, 'invalid_body', ['callback_url']);
    expect(await deliveries.db('webhook_logins').select('id')).to.deep.equal([]);
  });
});
