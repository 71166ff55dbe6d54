import { expect } from 'chai';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, continueTo, decide, expectHeading } from '../support/browser-window.ts';
import { use } from '../support/use.ts';

const HEADING = 'Choose what to connect';
const SITES = ['Berlin', 'Bern', 'Lisbon', 'London', 'Madrid', 'Oslo', 'Paris', 'Rome'];

describe('the choice of a site, in the window', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  before(async () => {
    setup.provider.settings.sites = SITES.map((name) => ({ id: name.toLowerCase(), name }));
    await setup.integrate('sites', { provider: 'sites', displayName: 'Sites' });
  });

  it('refuses a selection that the search hides, and can be cancelled', async () => {
    await setup.visit(chromium, async (customer) => {
      await customer.openWindow({ sessionToken: await setup.session({ allowed_integrations: ['sites'] }) });
      const frame = await customer.frame();
      await decide(await continueTo(customer, frame, 'Sites'), 'Allow');
      await expectHeading(frame, HEADING);
      await frame.getByRole('radio', { name: 'Oslo' }).check();
      await frame.getByRole('searchbox').fill('ber');
      await button(frame, 'Connect this one').click();
      await frame.getByText('Choose one of them.').waitFor();
      await expectHeading(frame, HEADING);

      await button(frame, 'Cancel').click();
      await expectHeading(frame, 'Connect Sites');
      expect(await connectionsOf(setup.app)).to.deep.equal([]);

      await decide(await continueTo(customer, frame, 'Sites'), 'Allow');
      await frame.getByRole('radio', { name: 'Oslo' }).check();
      await button(frame, 'Connect this one').click();
      await expectHeading(frame, 'Sites is connected');
    });
    const [made] = await connectionsOf(setup.app);
    expect(made).to.deep.include({ connection_config: { siteId: 'oslo' } });
  });
});
