import { expect } from 'chai';
import { connectionsMade } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, expectHeading } from '../support/browser-window.ts';
import { connectUrl } from '../support/connect.ts';
import { use } from '../support/use.ts';

describe('a provider of another site that sends the browser back with a form', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  before(() => {
    setup.provider.settings.byForm = true;
  });

  it('connects although the browser does not send the flow’s cookie with the form; a reload and another tab say so, too', async () => {
    const address = connectUrl(setup.app, { key: 'notes', token: await setup.session() });
    const origins = [setup.app.url, setup.provider.pages];
    const made = await connectionsMade(setup.app, () =>
      chromium.profile({ origins }, async (profile) => {
        const page = await profile.newPage();
        await page.goto(address);
        const posted = page.waitForRequest((request) => request.method() === 'POST');
        await button(page, 'Allow').click();
        await expectHeading(page, 'Connected');
        expect((await (await posted).allHeaders())['cookie']).to.equal(undefined);
        expect(new URL(page.url()).pathname).to.equal('/oauth/callback');

        const reloaded = await page.reload();
        expect(reloaded?.status()).to.equal(200);
        await expectHeading(page, 'Connected');
        const tab = await profile.newPage();
        await tab.goto(address);
        await expectHeading(tab, 'Connected');
      }),
    );
    expect(made).to.equal(1);
  });
});
