import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { updateConnectSettings } from '../../core/environments/connect-settings-store.ts';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import type { Guard } from '../support/browser-guard.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, decide, expectHeading } from '../support/browser-window.ts';
import { rememberSecret } from '../support/canaries.ts';
import { mustBe } from '../support/connect.ts';
import { use } from '../support/use.ts';

const MINUTE = 60_000;
const STORED = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])';

interface Link {
  readonly url: string;
  readonly token: string;
}

describe('a connect link', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  async function newLink(body: object = {}): Promise<Link> {
    const response = await setup.app.api.post('/connect/sessions', { allowed_integrations: ['notes'], ...body });
    mustBe(201, response);
    const { connect_link: url, token } = response.body.data;
    return { url, token: rememberSecret('connect session token', token) };
  }

  /** In a browser that was never here. */
  function open({ url }: Link, body: (page: Page, profile: BrowserContext, guard: Guard) => Promise<void>): Promise<void> {
    const origins = [setup.app.url, setup.provider.pages, setup.customer.origin];
    return chromium.profile({ origins }, async (profile, guard) => {
      const page = await profile.newPage();
      await page.goto(url);
      await body(page, profile, guard);
    });
  }

  /** Through the provider's page. */
  async function connect(page: Page): Promise<void> {
    await button(page, 'Continue to Notes').click();
    await page.waitForURL(`${setup.provider.pages}/**`);
    await decide(page, 'Allow');
    await expectHeading(page, 'Notes is connected');
  }

  it('leads through the provider and back in its tab, and tells nobody its token (check 13)', async () => {
    const before = (await connectionsOf(setup.app)).length;
    const link = await newLink();
    await open(link, async (page, profile, guard) => {
      await expectHeading(page, 'Connect Notes');
      expect(page.url()).to.equal(`${setup.app.url}/connect/l`);
      const visits = setup.provider.referrers.length;
      await connect(page);
      expect(setup.provider.referrers.slice(visits)).to.deep.equal([undefined]);
      expect(profile.pages()).to.deep.equal([page]);
      expect(page.url()).to.equal(`${setup.app.url}/connect/l`);
      await page.getByText('You can close this tab.').waitFor();
      expect(guard.requests.filter(({ url, referer = '' }) => `${url} ${referer}`.includes(link.token))).to.deep.equal([]);
      expect(await page.evaluate<string>(STORED)).to.not.include(link.token);
    });
    expect(await connectionsOf(setup.app)).to.have.length(before + 1);

    await open(link, async (page, _, guard) => {
      guard.expect(/status of 401/);
      await expectHeading(page, 'Already connected');
      await page.getByText('You can close this tab.').waitFor();
      expect(page.url()).to.equal(`${setup.app.url}/connect/l`);
    });
  });

  it('is not used up by being opened (check 13)', async () => {
    const link = await newLink();
    await open(link, (page) => expectHeading(page, 'Connect Notes'));
    await open(link, async (page) => {
      await expectHeading(page, 'Connect Notes');
      await connect(page);
    });
  });

  it('has expired after 30 minutes (check 13)', async () => {
    const link = await newLink();
    await setup.app.clock.advance(29 * MINUTE);
    await open(link, (page) => expectHeading(page, 'Connect Notes'));
    await setup.app.clock.advance(2 * MINUTE);
    await open(link, async (page, _, guard) => {
      guard.expect(/status of 401/);
      await expectHeading(page, 'This link has expired');
      await page.getByText('For your security it only works for a limited time.').waitFor();
    });
  });

  it('ends at the return address of its session (check 13)', async () => {
    await updateConnectSettings(setup.app.services.db, 1, { return_urls: [`${setup.customer.origin}/`], brand_name: 'Acme' });
    const returnUrl = `${setup.customer.origin}/?service=${encodeURIComponent(setup.app.url)}`;
    const link = await newLink({ return_url: returnUrl });
    await open(link, async (page, profile, guard) => {
      await connect(page);
      await button(page, 'Continue to Acme').click();
      await page.waitForURL(`${setup.customer.origin}/**`);
      expect(page.url()).to.equal(`${returnUrl}&svc_status=connected&integration=notes`);
      expect(guard.requests.findLast(({ url }) => url === page.url())?.referer).to.equal(undefined);
      expect(profile.pages()).to.deep.equal([page]);
    });
  });
});
