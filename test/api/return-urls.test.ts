import { expect } from 'chai';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration, storeTenant } from '../support/stored.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const ALLOWED = ['https://app.example/settings', 'https://other.example:8443/', 'http://localhost:3000/'];

const RIGHT = [
  'https://app.example/settings',
  'https://APP.example:443/settings/',
  'https://app.example/settings/a?b=c%2F..&next=//evil.test#d',
  'https://other.example:8443',
  'https://other.example:8443/any/path',
  'http://localhost:3000/settings',
];

const WRONG = [
  'https://evil.test/settings',
  'https://app.example/',
  'https://app.example/settings-evil',
  'https://app.example/settings/../admin',
  'https://app.example/settings/%2e%2e/admin',
  'https://app.example/settings/.%2E/admin',
  'https://app.example/settings/%252e%252e/admin',
  'https://app.example/settings/..%2fadmin',
  'https://app.example/settings/%5c..%5cadmin',
  'https://app.example/settings\\..\\admin',
  'https://app.example\\@evil.test/settings',
  'https://app.example@evil.test/settings',
  'https://user:pw@app.example/settings',
  'https://app.example:8443/settings',
  'https://app.example.evil.test/settings',
  'https:app.example/settings',
  'https:///app.example/settings',
  '//app.example/settings',
  '/settings',
  'http://app.example/settings',
  'http://localhost:3001/settings',
  'http://localhost.evil.test:3000/',
  'javascript:alert(1)//https://app.example/settings',
  'data:text/html,https://app.example/settings',
  'https://app.example/settings\nx',
  ' https://app.example/settings',
  'https://app.example/settings x',
  'https://аpp.example/settings',
];

describe('return_url of a session', function () {
  const app = use(this, startTenant);

  const setReturnUrls = (returnUrls: string[]) =>
    updateConnectSettings(app.services.db, app.environmentId, { return_urls: returnUrls.length === 0 ? null : returnUrls });
  const create = (returnUrl: string) => app.api.post('/connect/sessions', { return_url: returnUrl });
  const read = async (token: string) => (await app.client(token).get('/connect/session')).body.data.return_url;

  before(() => storeIntegration(app.api, 'one'));
  beforeEach(() => setReturnUrls(ALLOWED));

  for (const url of RIGHT) {
    it(`may be ${url}, and is kept as it is`, async () => {
      const { status, body } = await create(url);
      expect(status).to.equal(201);
      expect(await read(body.data.token)).to.equal(url);
    });
  }

  for (const url of WRONG) {
    it(`may not be ${JSON.stringify(url)}`, async () => {
      const response = await create(url);
      expectError(response, 'invalid_body');
      expect(response.body.error.errors[0].path).to.deep.equal(['return_url']);
    });
  }

  it('may be set for reconnecting, too', async () => {
    const { connectionId } = await storeConnection(app, { key: 'one' });
    const wanted = { connection_id: connectionId, integration_id: 'one' };
    const { status, body } = await app.api.post('/connect/sessions/reconnect', { ...wanted, return_url: RIGHT[0] });
    expect(status).to.equal(201);
    expect(await read(body.data.token)).to.equal(RIGHT[0]);
    expectError(await app.api.post('/connect/sessions/reconnect', { ...wanted, return_url: WRONG[0] }), 'invalid_body');
  });

  it('is refused if the environment allows none, and the error says so', async () => {
    const { api } = await storeTenant(app, 'other');
    const response = await api.post('/connect/sessions', { return_url: RIGHT[0] });
    expectError(response, 'invalid_body');
    expect(response.body.error.message).to.contain('env set --return-urls');
  });

  it('is not used once the environment removes the address', async () => {
    const { body } = await create('https://app.example/settings');
    await setReturnUrls([]);
    expect(await read(body.data.token)).to.equal(null);
  });
});
