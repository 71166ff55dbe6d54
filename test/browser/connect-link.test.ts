import { expect } from 'chai';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { LinkVisitor, newLink } from '../support/browser-link.ts';
import { button, expectHeading } from '../support/browser-window.ts';
import { use } from '../support/use.ts';

const MINUTE = 60_000;
/** The distances, in pixels, from a form's last field to its button, and from there to the validity of the link. */
const GAPS = `(([field, button, facts]) => [button.top - field.bottom, facts.top - button.bottom])(
  ['form > :has(+ .end)', '[type=submit]', '.link-facts'].map((part) => document.querySelector(part).getBoundingClientRect()))`;
const STORED = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])';

describe('a connect link', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  const visitor = new LinkVisitor(chromium, setup);

  it('leads through the provider and back in its tab, and reveals its token to nobody (check 13)', async () => {
    const before = (await connectionsOf(setup.app)).length;
    const link = await newLink(setup);
    await visitor.open(link, async (page, profile, guard) => {
      await expectHeading(page, 'Connect Notes');
      expect(page.url()).to.equal(`${setup.app.url}/connect/l`);
      const visits = setup.provider.referrers.length;
      await visitor.connect(page);
      expect(setup.provider.referrers.slice(visits)).to.deep.equal([undefined]);
      expect(profile.pages()).to.deep.equal([page]);
      expect(page.url()).to.equal(`${setup.app.url}/connect/l`);
      await page.getByText('You can close this tab.').waitFor();
      expect(guard.requests.filter(({ url, referer = '' }) => `${url} ${referer}`.includes(link.token))).to.deep.equal([]);
      expect(await page.evaluate<string>(STORED)).to.not.include(link.token);
    });
    expect(await connectionsOf(setup.app)).to.have.length(before + 1);

    await visitor.open(link, async (page, _, guard) => {
      guard.expect(/status of 401/);
      await expectHeading(page, 'Already connected');
      await page.getByText('You can close this tab.').waitFor();
      expect(page.url()).to.equal(`${setup.app.url}/connect/l`);
    });
  });

  it('has its button below the last field and its validity below the button, and no empty head', async () => {
    const link = await newLink(setup, { allowed_integrations: ['desk'] });
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ])
      await visitor.open(
        link,
        async (page) => {
          // The heading is there before the form is loaded.
          await page.getByLabel('API key').waitFor();
          await expectHeading(page, 'Connect Desk');
          expect(await page.getByRole('banner').count()).to.equal(0);
          for (const gap of await page.evaluate<number[]>(GAPS)) expect(gap, `${viewport.width} px`).to.be.within(0, 40);
        },
        { viewport },
      );
  });

  it('is not used up by being opened (check 13)', async () => {
    const link = await newLink(setup);
    await visitor.open(link, (page) => expectHeading(page, 'Connect Notes'));
    await visitor.open(link, async (page) => {
      await expectHeading(page, 'Connect Notes');
      await visitor.connect(page);
    });
  });

  it('expires after 30 minutes (check 13)', async () => {
    const link = await newLink(setup);
    await setup.app.clock.advance(29 * MINUTE);
    await visitor.open(link, (page) => expectHeading(page, 'Connect Notes'));
    await setup.app.clock.advance(2 * MINUTE);
    await visitor.open(link, async (page, _, guard) => {
      guard.expect(/status of 401/);
      await expectHeading(page, 'This link has expired');
      await page.getByText('For your security it only works for a limited time.').waitFor();
    });
  });

  it('ends at the return address of its session (check 13)', async () => {
    await updateConnectSettings(setup.app.services.db, 1, { return_urls: [`${setup.customer.origin}/`], brand_name: 'Acme' });
    const returnUrl = `${setup.customer.origin}/?service=${encodeURIComponent(setup.app.url)}`;
    const link = await newLink(setup, { return_url: returnUrl });
    await visitor.open(link, async (page, profile, guard) => {
      await visitor.connect(page);
      await button(page, 'Continue to Acme').click();
      await page.waitForURL(`${setup.customer.origin}/**`);
      expect(page.url()).to.equal(`${returnUrl}&svc_status=connected&integration=notes`);
      expect(guard.requests.findLast(({ url }) => url === page.url())?.referer).to.equal(undefined);
      expect(profile.pages()).to.deep.equal([page]);
    });
  });
});
