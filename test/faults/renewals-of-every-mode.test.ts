import { expect } from 'chai';
import { type Connected, mustBe, readConnection } from '../support/connect.ts';
import { freePort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import { startRenewalServer } from '../support/renewing-modes/renewal-server.ts';
import { ASKING_NAMES, RENEWING_NAMES, renewingMode } from '../support/renewing-modes/renewing-modes.ts';
import {
  integrateRenewing,
  keyOfRenewing,
  makeRenewingProviders,
  storeRenewing,
} from '../support/renewing-modes/store-renewing.ts';
import type { Behaviour } from '../support/scripted-server/behaviour.ts';
import { isLong, size } from '../support/size.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';

/** The age at which a token that lives an hour is due for a refresh. */
const NEARLY_EXPIRED_SECONDS = 3_000;
const EXPIRED_SECONDS = 1_200;
/** The time between two reads while the token endpoint fails. */
const EACH_SECONDS = size(60, 30);
/** The most refresh attempts in half an hour in which the token endpoint fails. */
const MOST_TRIES = 10;

const NOTHING_DONE = { status: 200, body: '{"access_token":"never seen"}' };
const LATER = { 'retry-after': '120' };
const TROUBLES: readonly [does: string, behaviour: Behaviour][] = [
  ['responds with 500', { response: { status: 500, body: 'oops' } }],
  ['responds with 503', { response: { status: 503, headers: LATER } }],
  ['responds with 429', { response: { status: 429, headers: LATER } }],
  ['resets the connection', { response: NOTHING_DONE, delivery: 'reset' }],
  ['resets it inside the response', { response: NOTHING_DONE, delivery: 'reset_inside' }],
  ['ends it inside the response', { response: NOTHING_DONE, delivery: 'truncate' }],
];
/** The number of `TROUBLES` with which each mode is tested in an everyday run. Each of them is tested with several modes. */
const TROUBLES_EACH = 2;

function troublesOf(index: number): typeof TROUBLES {
  if (isLong) return TROUBLES;
  return Array.from({ length: TROUBLES_EACH }, (_, nth) => TROUBLES[(index * TROUBLES_EACH + nth) % TROUBLES.length]).filter(
    (trouble) => trouble !== undefined,
  );
}

describe('a provider in trouble, with credentials of every mode (REF-08)', function () {
  this.timeout(isLong ? 240_000 : 30_000);
  const server = use(this, startRenewalServer);
  const folders = use(this, makeRenewingProviders);
  const installation = use(this, () => Installation.open());
  const app = use(this, () => installation.startApp({ SVC_PROVIDERS_DIR: folders.path }));

  before(() => integrateRenewing(app, server.url));
  afterEach(() => server.always('token', {}));

  const read = (connected: Connected, query = '') => readConnection(app, connected, query);

  /**
   * Asserts that while the token endpoint fails, readers get the stored credentials as long as these are valid, and none once
   * they have expired, and that readers get new credentials after `end` has ended the failure.
   */
  async function expectEndured(name: string, end: () => Promise<unknown> | unknown): Promise<void> {
    const connected = await storeRenewing(app, name);
    const { credentials } = (await read(connected)).body;
    await installation.advance(NEARLY_EXPIRED_SECONDS);
    const served = await read(connected);
    expect([served.status, served.body.credentials]).to.deep.equal([200, credentials]);
    // A reader with valid credentials does not wait for the refresh to end.
    expect(await app.services.refreshing.drained(30_000)).to.equal(true);
    await installation.advance(EXPIRED_SECONDS);
    const { status, headers } = await read(connected);
    expect(status).to.equal(503);
    expect(await storedConnection(installation.db, connected)).to.include({ state: 'degraded', auth_error_log_id: null });
    await end();
    await installation.advance(Number(headers.get('retry-after')));
    const renewed = await read(connected);
    expect(renewed.status, renewed.text).to.equal(200);
    expect(renewed.text).to.include(server.issued.get(name) ?? expect.fail('nothing was issued'));
    expect(await storedConnection(installation.db, connected)).to.include({ state: 'healthy', state_cause: null });
  }

  for (const [index, name] of ASKING_NAMES.entries()) {
    for (const [does, behaviour] of troublesOf(index)) {
      it(`costs no valid credentials, and the connection recovers with it: ${name}, ${does}`, async () => {
        const before = server.requestsOf(name);
        server.always('token', behaviour);
        await expectEndured(name, () => {
          expect(server.requestsOf(name) - before, 'the trouble was met').to.be.at.least(2);
          server.always('token', {});
        });
      });
    }
  }

  // Only these modes' token endpoints can get another address, from the integration; other modes store the address with their
  // credentials.
  const movable = ASKING_NAMES.filter((name) => 'token_url' in renewingMode(name).definition);
  for (const name of isLong ? movable : movable.slice(0, 1)) {
    it(`costs no valid credentials, and the connection recovers with it: ${name}, nobody listens`, async () => {
      const move = async (url: string) =>
        mustBe(200, await app.api.patch(`/integrations/${keyOfRenewing(name)}`, { integration_config: { server: url } }));
      await move(`http://127.0.0.1:${await freePort()}`);
      const before = server.requestsOf(name);
      await expectEndured(name, async () => {
        expect(server.requestsOf(name)).to.equal(before);
        await move(server.url);
      });
    });
  }

  it('is asked at most ten times in half an hour for each mode', async () => {
    const all = await Promise.all(RENEWING_NAMES.map(async (name) => ({ name, connected: await storeRenewing(app, name) })));
    await installation.advance(40 * 60);
    server.always('token', { response: { status: 500 } });
    const before = new Map(RENEWING_NAMES.map((name) => [name, server.requestsOf(name)]));
    const statuses = new Map<string, number[]>(RENEWING_NAMES.map((name) => [name, []]));
    for (let seconds = 0; seconds < 30 * 60; seconds += EACH_SECONDS) {
      for (const { name, connected } of all) statuses.get(name)?.push((await read(connected)).status);
      await installation.advance(EACH_SECONDS);
    }
    for (const name of RENEWING_NAMES) {
      const isAsked = renewingMode(name).requests > 0;
      const [valid, over] = [(20 * 60) / EACH_SECONDS, (10 * 60) / EACH_SECONDS];
      expect(statuses.get(name), name).to.deep.equal([...Array(valid).fill(200), ...Array(over).fill(isAsked ? 503 : 200)]);
      expect(server.requestsOf(name) - (before.get(name) ?? 0), name).to.be.within(isAsked ? 5 : 0, isAsked ? MOST_TRIES : 0);
    }
  });
});
