import { expect } from 'chai';
import { rememberSecret, sweep } from '../support/canaries.ts';
import { type Connected, readConnection, throughProxy } from '../support/connect.ts';
import { PROVIDER, startNamedService } from '../support/named-service.ts';
import type { EchoPlace } from '../support/scripted-server/behaviour.ts';
import { use } from '../support/use.ts';

const PLACES: readonly EchoPlace[] = ['error_body', 'header', 'redirect', 'www_authenticate', 'cookie', 'html_title'];
/** Ways in which a careless plugin may repeat an unexpected response of the provider. */
const PLUGIN_FAULTS = ['log', 'throw', 'refuse'] as const;
const API = { api_base_url: `${PROVIDER}/api` };

interface SeenPage {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

describe('a provider that repeats the secrets it was sent (LEAK-02)', function () {
  this.timeout(60_000);
  const service = use(this, startNamedService);
  let connected: Connected;
  before(async () => {
    await service.integrate('fake', { config: { token_request_auth_method: 'basic' } });
    await service.integrate('verified', { provider: 'verified', config: API });
    await service.integrate('fetching', { provider: 'fetching' });
    connected = await service.connect('fake');
  });
  /** Searches for secrets everywhere but in proxied responses, which are the provider's own and may repeat them. */
  async function leaks(pages: readonly SeenPage[] = []) {
    const { app, provider } = service;
    await app.services.activity.flush();
    for (const { params } of provider.ledger.of('token')) {
      if (params['code_verifier'] !== undefined) rememberSecret('code verifier', params['code_verifier']);
    }
    return sweep({
      log: app.logLines.join(''),
      database: await app.database.dump(),
      responses: app.api.recorded
        .filter(({ status, url }) => status >= 400 && !url.includes('/proxy/'))
        .map(({ headers, text }) => headers + text),
      pages: pages.map(({ headers, text }) => JSON.stringify([...headers]) + text),
      metrics: (await app.client().get('/metrics')).text,
      operations: await operations(),
    });
  }

  async function operations(): Promise<string[]> {
    const rows: { id: string }[] = await service.app.database.db('operation_log').select('id');
    const read = rows.map(async ({ id }) => (await service.app.api.get(`/logs/${id}`)).text);
    return Promise.all(read);
  }

  for (const place of PLACES) {
    it(`is not repeated by a failed exchange: ${place}`, async () => {
      service.provider.next('token', { echo: { place, error: 'invalid_grant' } });
      const page = await service.walk('fake');
      expect(page.status).to.equal(400);
      expect(await leaks([page])).to.deep.equal([]);
    });

    for (const error of ['invalid_grant', 'server_error']) {
      it(`is not repeated by a refresh that fails with ${error}: ${place}`, async () => {
        const mine = await service.connect('fake');
        service.provider.next('token', { echo: { place, error } });
        await service.app.database.db('connections').update({ expires_at: new Date('2020-01-01T00:00:00Z') });
        const response = await readConnection(service.app, mine);
        expect(response.status).to.be.oneOf([424, 503]);
        expect(await leaks()).to.deep.equal([]);
      });
    }

    it(`is not repeated by a failed verification: ${place}`, async () => {
      service.provider.next('api', { echo: { place, status: 401 } });
      const page = await service.walk('verified');
      // After an OAuth exchange, a redirect from the verification call does not count as a refusal.
      expect(page.status).to.equal(place === 'redirect' ? 200 : 400);
      expect(await leaks([page])).to.deep.equal([]);
    });

    for (const fault of PLUGIN_FAULTS) {
      it(`is not repeated when a plugin reacts with "${fault}": ${place}`, async () => {
        service.provider.next('api', { echo: { place, status: 403 } });
        const page = await service.walk('fetching', { params: { address: `${PROVIDER}/api/me`, fault } });
        expect(page.status).to.equal(400);
        expect(await leaks([page])).to.deep.equal([]);
      });
    }

    it(`is passed on unchanged, except cookies, to the caller of the proxy and nobody else: ${place}`, async () => {
      const mine = await service.connect('fake');
      // The provider echoes every call, since the service may repeat the call after a 401, or follow a redirect.
      service.provider.always('api', { echo: { place, status: 403 } });
      const { headers, text } = await throughProxy(service.app, mine, { path: '/me' });
      service.provider.always('api', {});
      const repeated = sweep({ response: JSON.stringify([...headers]) + text }).map(({ secret }) => secret);
      expect(repeated.includes('provider: access token')).to.equal(place !== 'cookie');
      expect(headers.getSetCookie()).to.deep.equal([]);
      expect(await leaks()).to.deep.equal([]);
    });
  }

  it('is not repeated from the query of the callback', async () => {
    const secret = service.provider.clientSecret;
    service.provider.next('authorize', {
      members: { error: secret, error_description: `refused: ${secret}`, error_uri: secret },
    });
    const page = await service.walk('fake');
    expect(page.status).to.equal(400);
    expect(await leaks([page])).to.deep.equal([]);
  });

  it('is not repeated from the code of the error', async () => {
    const body = JSON.stringify({ error: service.provider.clientSecret });
    const response = { status: 400, headers: { 'content-type': 'application/json' }, body };
    service.provider.next('token', { response: response });
    const page = await service.walk('fake');
    service.provider.next('token', { response: response });
    await readConnection(service.app, connected, '&force_refresh=true');
    expect(await leaks([page])).to.deep.equal([]);
  });

  it('is not repeated from bytes that are not HTTP', async () => {
    const reason = { status: 400, headers: { 'content-encoding': 'gzip' }, body: `not packed: ${service.provider.clientSecret}` };
    service.provider.next('token', { response: reason });
    const page = await service.walk('fake');
    expect(page.status).to.equal(400);
    expect(await leaks([page])).to.deep.equal([]);
  });
});
