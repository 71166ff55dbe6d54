import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { mustBe } from '../support/connect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { HOSTED } from '../support/hosted-provider.ts';
import { use } from '../support/use.ts';

/** One more than the requests that the service sends to one origin at once. */
const SILENT = 11;
const SOON_MS = 10_000;

describe('a silent token endpoint of one end user', function () {
  const silent = use(this, startFakeProvider);
  const honest = use(this, startFakeProvider);
  const folders = use(this, () => makeFolders({ 'hosted/provider.json': JSON.stringify(HOSTED) }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  before(async () => {
    const client = { type: 'OAUTH2', client_id: honest.clientId, client_secret: honest.clientSecret };
    for (const unique_key of ['one', 'two'])
      mustBe(200, await app.api.post('/integrations', { unique_key, provider: 'hosted', credentials: client }));
  });

  it('does not delay the refresh of another end user', async () => {
    silent.always('token', { delivery: 'reset' });
    const held = silent.barrier('token');
    const waiting = await Promise.all(
      Array.from({ length: SILENT }, async (_, index) => importExpired('one', `silent-${index}`, silent)),
    );
    const asked = waiting.map((id) => read('one', id));
    await held.arrived(SILENT - 1);

    const id = await importExpired('two', 'honest', honest);
    const begun = performance.now();
    expect((await read('two', id)).body.credentials.access_token).to.satisfy((token: string) => honest.grants.isLive(token));
    expect(performance.now() - begun).to.be.below(SOON_MS);
    held.open();
    await Promise.all(asked);
  });

  async function importExpired(key: string, connectionId: string, provider: FakeProvider): Promise<string> {
    const code = provider.grants.issueCode({ redirectUri: 'r', scope: '' });
    provider.settings.pkce = 'ignored';
    const pair = provider.grants.redeem(code, 'r', undefined);
    const credentials = {
      type: 'OAUTH2',
      access_token: canary('imported access token'),
      refresh_token: pair?.refreshToken,
      expires_at: new Date(Date.now() - 1_000).toISOString(),
    };
    const connection_config = { server: provider.url };
    const body = { provider_config_key: key, connection_id: connectionId, credentials, connection_config };
    mustBe(200, await app.api.post('/connections', body));
    return connectionId;
  }

  function read(key: string, id: string) {
    return app.api.get(`/connections/${id}?provider_config_key=${key}`);
  }
});
