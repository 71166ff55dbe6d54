import { expect } from 'chai';
import { presentedOnce } from '../support/checker.ts';
import {
  type Connected,
  connectAgain,
  createIntegration,
  readConnection,
  type Service,
  throughProxy,
} from '../support/connect.ts';
import { ConnectedInstallation } from '../support/connected-installation.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { freePort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import type { Behaviour } from '../support/scripted-server/behaviour.ts';
import { isLong } from '../support/size.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { INVALID_GRANT } from '../support/token-responses.ts';
import { use } from '../support/use.ts';

/** The age at which a token that lives an hour is due for a refresh, ten minutes before its expiry. */
const NEARLY_EXPIRED_SECONDS = 3000;
const EXPIRED_SECONDS = 1200;

// A response whose delivery fails. The provider has not touched the refresh token, so a later refresh can succeed.
const NOTHING_DONE = { status: 200, body: '{"access_token":"never seen"}' };
const TROUBLES: readonly [trouble: string, cause: string, behaviour: Behaviour][] = [
  ['responds with 500', 'provider_unavailable', { response: { status: 500, body: 'oops' } }],
  ['responds with 503', 'retry_after', { response: { status: 503, headers: { 'retry-after': '120' } } }],
  ['responds with 429', 'rate_limited', { response: { status: 429, headers: { 'retry-after': '120' } } }],
  ['responds with 401 invalid_client', 'client_refused', { response: { status: 401, body: '{"error":"invalid_client"}' } }],
  ['responds with 404', 'provider_unavailable', { response: { status: 404, body: 'not here' } }],
  ['resets the connection', 'answer_lost', { response: NOTHING_DONE, delivery: 'reset' }],
  ['resets it inside the response', 'answer_lost', { response: NOTHING_DONE, delivery: 'reset_inside' }],
  ['ends it inside the response', 'answer_lost', { response: NOTHING_DONE, delivery: 'truncate' }],
];
const SLOW_TROUBLES: typeof TROUBLES = [
  ['does not respond', 'answer_lost', { response: NOTHING_DONE, delivery: 'hang' }],
  ['stops inside the response', 'answer_lost', { response: NOTHING_DONE, delivery: 'stall' }],
];

describe('a provider in trouble (REF-08)', function () {
  this.timeout(isLong ? 120_000 : 20_000);
  const setup = use(this, () => ConnectedInstallation.open({ rotation: 'strict' }));

  for (const [trouble, cause, behaviour] of [...TROUBLES, ...(isLong ? SLOW_TROUBLES : [])]) {
    it(`that ${trouble} costs nobody a working token, and the connection recovers with it`, async () => {
      const { credentials } = (await setup.read()).body;
      setup.provider.always('token', behaviour);
      await setup.advance(NEARLY_EXPIRED_SECONDS);
      const served = await setup.read();
      expect(served.status).to.equal(200);
      expect(served.body.credentials).to.deep.equal(credentials);
      await expectDegraded(cause);

      await setup.advance(EXPIRED_SECONDS);
      const waitSeconds = await expectUnavailable(setup.app, setup.connected);
      await expectDegraded(cause);
      setup.provider.always('token', {});
      await setup.advance(waitSeconds);
      await expectRenewed();
    });
  }

  it('is asked again at once by force_refresh', async () => {
    await setup.advance(3 * EXPIRED_SECONDS);
    setup.provider.next('token', { response: { status: 500 } });
    await expectUnavailable(setup.app, setup.connected);
    const { status } = await setup.read('&force_refresh=true');
    expect(status).to.equal(200);
  });

  it('makes the proxy respond with 503 and the time to retry', async () => {
    await setup.advance(3 * EXPIRED_SECONDS);
    setup.provider.next('token', { response: { status: 500 } });
    await expectUnavailable(setup.app, setup.connected);
    const proxied = await throughProxy(setup.app, setup.connected, { path: '/me' });
    expect(proxied).to.have.property('status', 503);
    expect(Number(proxied.headers.get('retry-after'))).to.be.at.least(1);
    await setup.advance(EXPIRED_SECONDS);
    await expectRenewed();
  });

  it('is asked at most ten times in half an hour, and no authorization ends', async () => {
    const callsBefore = setup.provider.ledger.of('token').length;
    await setup.advance(40 * 60);
    setup.provider.always('token', { response: { status: 500 } });
    const statuses: number[] = [];
    for (let minute = 0; minute < 30; minute += 0.5) {
      statuses.push((await setup.read()).status);
      await setup.advance(30);
    }
    expect(statuses).to.deep.equal([...Array(40).fill(200), ...Array(20).fill(503)]);
    expect(setup.provider.ledger.of('token').length - callsBefore).to.be.within(5, 10);

    // The provider still fails at this request: if the provider had recovered, the request could succeed, because the wait has
    // jitter and may be over.
    const waitSeconds = await expectUnavailable(setup.app, setup.connected);
    setup.provider.always('token', {});
    await setup.advance(waitSeconds);
    await expectRenewed();
  });

  it('has seen every refresh token once, except during the troubles', () => {
    const { entries } = setup.provider.ledger;
    expect(presentedOnce(entries, ({ status = 500 }) => status >= 400)).to.deep.equal([]);
  });

  async function expectDegraded(cause: string): Promise<void> {
    // A reader with a working token does not wait for the end of a slow call, so the refresh may still be under way.
    expect(await setup.app.services.refreshing.drained(30_000)).to.equal(true);
    const row = await setup.stored();
    expect(row).to.include({ state: 'degraded', state_cause: cause, auth_error_log_id: null, refresh_owner: null });
  }

  async function expectRenewed(): Promise<void> {
    const { status, body } = await setup.read();
    expect(status).to.equal(200);
    expect(setup.provider.grants.isLive(body.credentials.access_token)).to.equal(true);
    expect(await setup.stored()).to.include({ state: 'healthy', state_cause: null });
  }
});

describe('a token endpoint that cannot be reached', () => {
  const ADDRESSES: readonly [trouble: string, address: (provider: FakeProvider) => Promise<string>][] = [
    ['nobody listens', async () => `http://127.0.0.1:${await freePort()}/token`],
    ['TLS is not spoken', async ({ tokenUrl }) => tokenUrl.replace('http:', 'https:')],
  ];

  for (const [trouble, address] of ADDRESSES) {
    it(`costs no authorization: ${trouble}`, async () => {
      await using installation = await Installation.open();
      await using provider = await startFakeProvider();
      const app = await installation.startApp();
      await createIntegration(app, provider, { config: { refresh_url: await address(provider) } });
      const connected = await connectAgain(app);

      await installation.advance(NEARLY_EXPIRED_SECONDS);
      expect((await readConnection(app, connected)).status).to.equal(200);
      await installation.advance(EXPIRED_SECONDS);
      await expectUnavailable(app, connected);
      const row = await storedConnection(installation.db, connected);
      expect(row).to.include({ state: 'degraded', state_cause: 'provider_unavailable', refresh_unknown: false });
      expect(provider.ledger.of('token')).to.have.lengthOf(1);
    });
  }
});

describe('a refusal of the provider', () => {
  it('is taken back by force_refresh once the provider accepts the refresh token again', async () => {
    await using setup = await ConnectedInstallation.open();
    await setup.advance(NEARLY_EXPIRED_SECONDS);
    setup.provider.next('token', INVALID_GRANT);
    expect((await setup.read()).status).to.equal(424);
    const revived = await setup.read('&force_refresh=true');
    expect(revived.status).to.equal(200);
    expect(revived.body.errors).to.deep.equal([]);
    expect((await setup.read()).body.credentials).to.deep.equal(revived.body.credentials);
  });
});

/** Asserts that a read responds with 503. @returns the seconds after which the caller may retry */
async function expectUnavailable(app: Service, connected: Connected): Promise<number> {
  const { status, headers, body } = await readConnection(app, connected);
  expect(status).to.equal(503);
  expect(body.error.code).to.equal('provider_unavailable');
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).to.be.at.least(1);
  return seconds;
}
