import { startApp } from '../support/app.ts';
import { throughProxy } from '../support/connect.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeConnection, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

describe('a proxied call', function () {
  const app = use(this, () => startApp({ env: { SVC_OUTBOUND_ALLOW: '' } }));

  before(() => storeIntegration(app.api, 'one'));

  it('to a private address is refused', async () => {
    const config = { api_base_url: 'https://10.0.0.1', authorization_url: 'https://a.example', token_url: 'https://a.example' };
    await app.api.post('/integrations', { unique_key: 'inner', provider: 'generic-oauth', integration_config: config });
    const stored = await storeConnection(app, { key: 'inner' });
    expectError(await throughProxy(app, stored, { path: '/me' }), 'address_not_allowed');
  });

  it('to another base URL needs its scope, and a host that is allowed', async () => {
    const stored = await storeConnection(app, { key: 'one' });
    const call = { path: '/me', headers: { 'base-url-override': 'https://evil.example' } };
    expectError(await throughProxy(app, stored, call), 'base_url_override_not_allowed');
    const api = await clientWith(app, 'environment:proxy');
    expectError(await throughProxy({ ...app, api }, stored, call), 'forbidden');
  });

  it('without its headers is refused', async () => {
    expectError(await app.api.get('/proxy/me'), 'invalid_headers', ['Provider-Config-Key']);
    expectError(await app.api.get('/proxy/me', { headers: { 'provider-config-key': 'one' } }), 'invalid_headers', [
      'Connection-Id',
    ]);
  });

  it('for an unknown connection or integration is refused', async () => {
    expectError(await throughProxy(app, { key: 'one', connectionId: 'nobody' }, { path: '/me' }), 'unknown_connection');
    expectError(await throughProxy(app, { key: 'nobody', connectionId: 'x' }, { path: '/me' }), 'unknown_provider_config');
  });

  it('names a connection with odd characters in UTF-8', async () => {
    const stored = await storeConnection(app, { key: 'inner', connectionId: 'ü 🦊' });
    const named = { ...stored, connectionId: Buffer.from(stored.connectionId).toString('latin1') };
    expectError(await throughProxy(app, named, { path: '/me' }), 'address_not_allowed');
  });
});
