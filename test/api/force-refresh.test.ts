import { expect } from 'chai';
import { readConnection } from '../support/connect.ts';
import { ConnectedInstallation } from '../support/connected-installation.ts';
import { INVALID_GRANT } from '../support/token-responses.ts';
import { use } from '../support/use.ts';

const NOT_NOW = { response: { status: 500 } };

describe('a forced refresh that fails', function () {
  const setup = use(this, () => ConnectedInstallation.open({ rotation: 'strict' }));

  it('is reported beside the credentials that are still valid', async () => {
    const { credentials } = (await setup.read()).body;
    setup.provider.next('token', NOT_NOW);
    const response = await setup.read('&force_refresh=true');
    expect(response.status).to.equal(200);
    expect(response.body.credentials).to.deep.equal(credentials);
    expect(response.headers.get('svc-refresh')).to.equal('failed; code=provider_unavailable');
  });

  it('is an error in the strict form, with a time to try again', async () => {
    setup.provider.next('token', { response: { status: 503, headers: { 'retry-after': '120' } } });
    const { status, headers, body } = await setup.read('&force_refresh=strict');
    expect(status).to.equal(503);
    expect(body.error.code).to.equal('provider_unavailable');
    expect(Number(headers.get('retry-after'))).to.be.within(60, 120);
    expect(await setup.read()).to.have.property('status', 200);
  });

  for (const force of ['true', 'strict']) {
    it(`is not reported when the refresh succeeds: ${force}`, async () => {
      const { credentials } = (await setup.read()).body;
      const response = await setup.read(`&force_refresh=${force}`);
      expect(response.status).to.equal(200);
      expect(response.body.credentials.access_token).to.not.equal(credentials.access_token);
      expect(response.headers.get('svc-refresh')).to.equal(null);
    });

    it(`needs the user when the authorization has been revoked: ${force}`, async () => {
      setup.provider.next('token', INVALID_GRANT);
      expect(await setup.read(`&force_refresh=${force}`)).to.have.property('status', 424);
      expect(await setup.read(`&force_refresh=${force}`)).to.have.property('status', 200);
    });
  }

  it('is no failure if the credentials cannot be refreshed', async () => {
    const imported = { provider_config_key: setup.connected.key, credentials: { type: 'OAUTH2', access_token: 'without-end' } };
    const { body } = await setup.app.api.post('/connections', imported);
    const other = { connectionId: body.connection_id, key: setup.connected.key };
    const response = await readConnection(setup.app, other, '&force_refresh=strict');
    expect(response.status).to.equal(200);
    expect(response.headers.get('svc-refresh')).to.equal('not_refreshable');
    expect((await readConnection(setup.app, other, '')).headers.get('svc-refresh')).to.equal(null);
  });
});
