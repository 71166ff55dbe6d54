import { expect } from 'chai';
import type { AuthorizationFlowRow } from '../../core/connect/flows/flow-row.ts';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, continueTo, expectHeading } from '../support/browser-window.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('a flow that a person gives up in the window', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  const states = async () => {
    const rows = await setup.app.database.db<AuthorizationFlowRow>('authorization_flows').orderBy('id');
    return rows.map(({ flow_state: state }) => state);
  };
  beforeEach(() => setup.app.database.db('authorization_flows').delete());

  it('is not submitted again by the click that cancels it', async () => {
    const check = setup.provider.hold('/api/check');
    await setup.visit(chromium, async (customer, guard) => {
      await customer.openWindow({ sessionToken: await setup.session({ allowed_integrations: ['desk'] }) });
      const frame = await customer.frame();
      await frame.getByLabel('Subdomain', { exact: true }).fill('acme');
      await frame.getByLabel('API key', { exact: true }).fill(setup.provider.settings.apiKey);
      await button(frame, 'Connect').click();
      await frame.getByText('Connecting Desk…').waitFor();
      await until('the service has it', async () => (await states()).includes('verifying'));
      await button(frame, 'Cancel').click();
      await until('it is cancelled', async () => (await states()).includes('cancelled'));
      await button(frame, 'Connect').waitFor();
      check.release();
      expect(guard.requests.filter(({ url }) => url === `${setup.app.url}/connect/flows`)).to.have.length(1);
      expect(await frame.getByLabel('Subdomain', { exact: true }).inputValue()).to.equal('acme');
      await expectHeading(frame, 'Connect Desk');
    });
    expect(await states()).to.deep.equal(['cancelled']);
    expect(await connectionsOf(setup.app)).to.deep.equal([]);
  });

  it('is cancelled when the page around removes the window', async () => {
    await setup.visit(chromium, async (customer) => {
      await customer.openWindow({ sessionToken: await setup.session({ allowed_integrations: ['notes'] }) });
      const popup = await continueTo(customer, await customer.frame(), 'Notes');
      await popup.getByRole('link', { name: 'Allow' }).waitFor();
      expect(await states()).to.deep.equal(['redirected']);
      await customer.read('document.querySelector("svc-connect").remove()');
      await until('it is cancelled', async () => (await states()).includes('cancelled'));
    });
    expect(await connectionsOf(setup.app)).to.deep.equal([]);
  });
});
