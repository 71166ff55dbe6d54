import { expect } from 'chai';
import { AUTH_MODES } from '../../../core/auth-modes/index.ts';
import { startApp } from '../../support/app.ts';
import { readConnection } from '../../support/connect.ts';
import { startRenewalServer } from '../../support/renewing-modes/renewal-server.ts';
import { RENEWING_NAMES, renewingMode } from '../../support/renewing-modes/renewing-modes.ts';
import { integrateRenewing, makeRenewingProviders, storeRenewing } from '../../support/renewing-modes/store-renewing.ts';
import { use } from '../../support/use.ts';

describe('the modes that tests of refresh faults cover', function () {
  this.timeout(30_000);
  const server = use(this, startRenewalServer);
  const folders = use(this, makeRenewingProviders);
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  before(() => integrateRenewing(app, server.url));

  it('are all modes that refresh their credentials', () => {
    const renewing = AUTH_MODES.filter(({ refresh }) => refresh !== undefined).map(({ name }) => name);
    expect(RENEWING_NAMES).to.have.members(renewing);
  });

  for (const name of RENEWING_NAMES) {
    it(`are refreshed by the stated number of requests: ${name}`, async () => {
      const connected = await storeRenewing(app, name);
      const before = await readConnection(app, connected);
      expect(before.status, before.text).to.equal(200);
      expect(server.requestsOf(name)).to.equal(0);
      await app.clock.advance(3_601_000, app.database.db);
      const { status, body, text } = await readConnection(app, connected);
      expect(status, text).to.equal(200);
      expect(body.credentials).to.not.deep.equal(before.body.credentials);
      expect(server.requestsOf(name)).to.equal(renewingMode(name).requests);
      expect(text).to.include(server.issued.get(name) ?? '');
    });
  }
});
