import { expect } from 'chai';
import { ConnectedInstallation } from '../support/connected-installation.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeConnection, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

const UPDATE = 'environment:integrations:update';

describe('the hosts of an integration that has connections', function () {
  const setup = use(this, () => ConnectedInstallation.open());
  const stranger = use(this, startFakeProvider);
  const elsewhere = (): Readonly<Record<string, string>> => ({
    token_url: stranger.tokenUrl,
    refresh_url: stranger.tokenUrl,
    api_base_url: `${stranger.url}/api`,
    allowed_hosts: new URL(stranger.url).host,
  });

  for (const name of ['token_url', 'refresh_url', 'api_base_url', 'allowed_hosts']) {
    it(`are not changed by a key that may only change integrations: ${name}`, async () => {
      const api = await clientWith(setup.app, UPDATE);
      const response = await api.patch('/integrations/fake', { integration_config: { [name]: elsewhere()[name] } });
      expectError(response, 'forbidden');
      expect(response.body.error.message).to.contain(name).and.contain('environment:proxy:override');
    });
  }

  it('receive no refresh token that was not meant for them', async () => {
    const api = await clientWith(setup.app, UPDATE);
    await api.patch('/integrations/fake', { integration_config: { refresh_url: stranger.tokenUrl } });
    expect((await setup.read('&force_refresh=true')).status).to.equal(200);
    expect(stranger.ledger.entries).to.deep.equal([]);
  });

  it('stay as they are when that key changes something else or repeats them', async () => {
    const api = await clientWith(setup.app, UPDATE);
    const change = { display_name: 'Other', integration_config: { token_url: setup.provider.tokenUrl, scope_separator: ',' } };
    expect((await api.patch('/integrations/fake', change)).status).to.equal(200);
  });

  for (const scope of ['environment:integrations:read_credentials', 'environment:proxy:override']) {
    it(`are changed by one that also has ${scope}`, async () => {
      const api = await clientWith(setup.app, UPDATE, scope);
      const response = await api.patch('/integrations/fake', {
        integration_config: { allowed_hosts: `${scope.length}.example.com` },
      });
      expect(response.status).to.equal(200);
    });
  }

  it('stay as they are while its connections are being deleted, since their tokens may still have to be revoked', async () => {
    await storeIntegration(setup.app.api, 'left');
    const { connectionId } = await storeConnection(setup.app, { key: 'left' });
    await setup.app.database.db('connections').where({ connection_id: connectionId }).update({ deleted_at: new Date() });
    const api = await clientWith(setup.app, UPDATE);
    expectError(await api.patch('/integrations/left', { integration_config: elsewhere() }), 'forbidden');
  });

  it('are free while it has no connections', async () => {
    await storeIntegration(setup.app.api, 'empty');
    const api = await clientWith(setup.app, UPDATE);
    expect((await api.patch('/integrations/empty', { integration_config: elsewhere() })).status).to.equal(200);
  });
});

describe('an integration ID that another integration had', function () {
  const setup = use(this, () => ConnectedInstallation.open());
  const CREATE = 'environment:integrations:create';
  const BOTH = [CREATE, UPDATE] as const;
  const github = (uniqueKey: string) => ({ unique_key: uniqueKey, provider: 'github' });

  before(async () => {
    for (const key of ['renamed', 'deleted', 'moved']) await storeIntegration(setup.app.api, key);
    expect((await setup.app.api.patch('/integrations/renamed', { unique_key: 'renamed-now' })).status).to.equal(200);
    expect((await setup.app.api.delete('/integrations/deleted')).status).to.equal(200);
  });

  for (const key of ['renamed', 'deleted']) {
    it(`may not be taken with an API key that may only create and change integrations: ${key}`, async () => {
      const api = await clientWith(setup.app, ...BOTH);
      const attempts = [
        await api.post('/integrations', github(key)),
        await api.post('/integrations', { ...github(key), credentials: { client_id: 'c', client_secret: 's' } }),
        await api.patch('/integrations/moved', { unique_key: key }),
      ];
      for (const response of attempts) {
        expectError(response, 'forbidden');
        expect(response.body.error.message).to.contain('integration ID').and.contain('environment:proxy:override');
      }
    });
  }

  it('may be taken with a key that could divert credentials anyway, and by the integration that had it', async () => {
    const own = await clientWith(setup.app, UPDATE);
    expect((await own.patch('/integrations/renamed-now', { unique_key: 'renamed' })).status).to.equal(200);
    expect((await own.patch('/integrations/renamed', { unique_key: 'renamed-now' })).status).to.equal(200);
    const api = await clientWith(setup.app, CREATE, 'environment:proxy:override');
    for (const key of ['renamed', 'deleted']) expect((await api.post('/integrations', github(key))).status).to.equal(200);
  });

  it('is different from a key that no integration had', async () => {
    const api = await clientWith(setup.app, ...BOTH);
    expect((await api.post('/integrations', github('new'))).status).to.equal(200);
    expect((await api.patch('/integrations/new', { unique_key: 'newer' })).status).to.equal(200);
  });
});
