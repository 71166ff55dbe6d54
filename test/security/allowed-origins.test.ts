import { expect } from 'chai';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import { startApp } from '../support/app.ts';
import { routeCalls } from '../support/concrete-routes.ts';
import { connectUrl, createSession } from '../support/connect.ts';
import { client } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

const ALLOWED = 'https://app.example';
const ALSO_ALLOWED = 'http://localhost:3000';
const FOREIGN = [
  'null',
  'https://evil.test',
  'https://app.example.evil.test',
  'https://evil-app.example',
  'https://sub.app.example',
  'http://app.example',
  'https://app.example:8443',
  'https://app.example@evil.test',
  'https://app.example/path',
  'http://localhost:3001',
  'file://',
  '*',
  '',
];
const SAME = [ALLOWED, 'https://APP.example', 'https://app.example:443', ALSO_ALLOWED];

describe('pages that an environment does not allow (CORS-02)', function () {
  const app = use(this, () => startApp({ env: { SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0' } }));
  const calls = routeCalls().filter(
    ({ access }) => access !== 'public' && ('session' in access || ('orSession' in access && access.orSession === true)),
  );
  let token: string;

  const setOrigins = (origins: string[] | null) => updateConnectSettings(app.services.db, 1, { allowed_origins: origins });
  // An origin is refused before the rest of the request is read, so the body and the names in the path do not matter.
  const call = ({ method, path, body }: (typeof calls)[number], headers: Readonly<Record<string, string>>) => {
    const inQuery = `${path}?connect_session_token=${token}`;
    const isInQuery = /^\/(?:oauth|auth|api-auth|oauth2|app-auth)\//.test(path);
    return client(app.url, isInQuery ? undefined : token).call(method, isInQuery ? inQuery : path, { body, headers });
  };

  before(() => storeIntegration(app.api, 'one'));
  beforeEach(async () => {
    await setOrigins([ALLOWED, ALSO_ALLOWED]);
    token = await createSession(app);
  });

  it('are tested with every route that a session token opens', () => {
    expect(calls.map(({ name }) => name)).to.include.members([
      'GET /connect/session',
      'GET /connect/integrations/:uniqueKey',
      'POST /connect/flows',
      'GET /oauth/connect/:uniqueKey',
      'GET /providers',
    ]);
  });

  for (const one of calls) {
    it(`are refused by ${one.name}, whether they call it or embed the window`, async () => {
      for (const header of ['origin', 'x-svc-embed-origin'])
        for (const origin of FOREIGN) {
          const { status, body, text } = await call(one, { [header]: origin });
          expect(status, `${header}: ${origin} ${text}`).to.equal(403);
          if (typeof body === 'object') expect(body.error.errors[0].code).to.equal('origin_not_allowed');
        }
    });
  }

  it('may read the reason for the refusal', async () => {
    const response = await app.client(token).call('GET', '/connect/session', { headers: { origin: 'https://evil.test' } });
    expectError(response, 'forbidden');
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
  });

  it('differ from allowed pages, which get responses for their origin only', async () => {
    for (const origin of SAME) {
      const response = await app.client(token).call('GET', '/connect/session', { headers: { origin } });
      expect([response.status, response.headers.get('access-control-allow-origin')]).to.deep.equal([200, origin]);
      expect(response.headers.get('vary')).to.equal('Origin');
    }
    const failed = await app.client(token).call('GET', '/connect/integrations/nobody', { headers: { origin: ALLOWED } });
    expect([failed.status, failed.headers.get('access-control-allow-origin')]).to.deep.equal([404, ALLOWED]);
    expect(failed.headers.get('vary')).to.equal('Origin');
  });

  it('do not include the service’s own pages, which may name an allowed page that embeds them', async () => {
    for (const headers of [{}, { origin: app.url }, { origin: app.url, 'x-svc-embed-origin': ALLOWED }]) {
      const { status } = await app.client(token).call('GET', '/connect/session', { headers });
      expect(status).to.equal(200);
    }
    const response = await fetch(connectUrl(app, { token, key: 'one' }), { redirect: 'manual' });
    expect(response.status).to.equal(302);
  });

  it('do not exist while the environment lists no origins', async () => {
    for (const none of [null, []]) {
      await setOrigins(none);
      for (const headers of [
        { origin: 'https://evil.test' },
        { origin: 'null' },
        { 'x-svc-embed-origin': 'https://evil.test' },
      ]) {
        const response = await app.client(token).call('GET', '/connect/session', { headers });
        expect([response.status, response.headers.get('access-control-allow-origin')]).to.deep.equal([200, '*']);
        expect(response.headers.get('vary')).to.equal(null);
      }
    }
  });
});
