import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { type Connected, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { Installation } from '../support/installation.ts';
import { startRenewalServer } from '../support/renewing-modes/renewal-server.ts';
import { ASKING_NAMES, RENEWING_NAMES } from '../support/renewing-modes/renewing-modes.ts';
import { integrateRenewing, makeRenewingProviders, storeRenewing } from '../support/renewing-modes/store-renewing.ts';
import { expectError } from '../support/std-error.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const EXPIRED_SECONDS = 3_601;
/**
 * The time in which a deletion must take effect on every instance: four times the promised two seconds, but less than the
 * lifetime of a cache entry, whose expiry would hide that the notice is missing.
 */
const EFFECT_MS = 8_000;

describe('a connection of every mode that is deleted (DEL-01)', function () {
  this.timeout(30_000);
  const server = use(this, startRenewalServer);
  const folders = use(this, makeRenewingProviders);
  const installation = use(this, () => Installation.open());
  let instances: readonly [TestApp, TestApp];

  before(async () => {
    const start = () => installation.startApp({ SVC_PROVIDERS_DIR: folders.path });
    instances = [await start(), await start()];
    await integrateRenewing(instances[0], server.url);
  });

  async function remove(instance: TestApp, { connectionId, key }: Connected): Promise<void> {
    mustBe(200, await instance.api.delete(`/connections/${connectionId}?provider_config_key=${key}`));
  }

  const rowsOf = ({ connectionId }: Connected) => installation.db('connections').where({ connection_id: connectionId });

  async function expectGone(connected: Connected): Promise<void> {
    for (const instance of instances) {
      expectError(await readConnection(instance, connected), 'unknown_connection');
      await until(
        'no call is made with it',
        async () => (await throughProxy(instance, connected, { path: '/me' })).status === 404,
        EFFECT_MS,
      );
    }
  }

  for (const name of ASKING_NAMES) {
    it(`is not brought back by a refresh under way: ${name}`, async () => {
      const [renewing, deleting] = instances;
      const connected = await storeRenewing(renewing, name);
      await installation.advance(EXPIRED_SECONDS);
      const barrier = server.barrier('token');
      const reading = readConnection(renewing, connected);
      await barrier.arrived(1);
      await remove(deleting, connected);
      await expectGone(connected);
      const before = server.issued.get(name);
      barrier.open();
      server.always('token', {});
      const late = await reading;
      expect(await renewing.services.refreshing.drained(10_000)).to.equal(true);
      expect(server.issued.get(name), 'the refresh was under way').to.not.equal(before);
      expectError(late, 'unknown_connection');
      await expectGone(connected);
      expect(await rowsOf(connected)).to.deep.equal([]);
    });
  }

  for (const name of RENEWING_NAMES) {
    it(`makes no further call, although it was in use: ${name}`, async () => {
      const connected = await storeRenewing(instances[0], name);
      for (const instance of instances) expect((await throughProxy(instance, connected, { path: '/me' })).status).to.equal(200);
      await remove(instances[0], connected);
      await expectGone(connected);
      expect(await rowsOf(connected)).to.deep.equal([]);
    });
  }
});
