import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { connectionsMade } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { LinkVisitor, newLink } from '../support/browser-link.ts';
import { button, continueTo, decide, expectHeading } from '../support/browser-window.ts';
import { use } from '../support/use.ts';

/** Goes back by one history entry, which is that of a frame, so the page itself stays. */
const back = (page: Page) => page.evaluate('history.back()');

describe('the browser’s Back button', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);
  const visitor = new LinkVisitor(chromium, setup);
  const made = (run: () => Promise<void>) => connectionsMade(setup.app, run);
  const TWO = { allowed_integrations: ['notes', 'desk'] };

  it('leads from a link’s form back to its list, and from the provider back to the link', async () => {
    const link = await newLink(setup, TWO);
    const connections = await made(() =>
      visitor.open(link, async (page) => {
        await button(page, 'Desk').click();
        await expectHeading(page, 'Connect Desk');
        await page.goBack();
        await expectHeading(page, 'Connect an account');
        await button(page, 'Notes').click();
        await visitor.leave(page);
        await page.goBack();
        await expectHeading(page, 'Connect Notes');
        await visitor.connect(page);
      }),
    );
    expect(connections).to.equal(1);
  });

  it('leads from a used link to a page of the provider that cannot connect anything again', async () => {
    const link = await newLink(setup);
    const connections = await made(() =>
      visitor.open(link, async (page) => {
        await visitor.connect(page);
        await page.goBack();
        await decide(page, 'Allow');
        await expectHeading(page, 'Nothing to show');
        await page.getByText('If you have just signed in, your account may be connected already.').waitFor();
      }),
    );
    expect(connections).to.equal(1);
  });

  it('leads back within the window, where it cancels a flow, and closes the window once an account is connected', async () => {
    const connections = await made(() =>
      setup.visit(chromium, async (customer, guard) => {
        // Chromium reports this when it cannot reuse the window of the same name, because that window shows the provider's page.
        guard.expect(/Unsafe attempt to initiate navigation/);
        await customer.openWindow({ sessionToken: await setup.session(TWO) });
        const frame = await customer.frame();
        await button(frame, 'Notes').click();
        await expectHeading(frame, 'Connect Notes');
        await back(customer.page);
        await expectHeading(frame, 'Connect an account');
        await button(frame, 'Notes').click();
        const left = await continueTo(customer, frame, 'Notes');
        await expectHeading(frame, 'Waiting for Notes');
        await left.getByRole('link', { name: 'Allow' }).waitFor();
        await back(customer.page);
        await expectHeading(frame, 'Connect Notes');
        // The provider window of the first flow stays open, because its page has given up its opener; the flow itself has ended.
        await decide(await continueTo(customer, frame, 'Notes'), 'Allow');
        await expectHeading(frame, 'Notes is connected');
        await back(customer.page);
        expect(await customer.outcome()).to.deep.equal({ reason: 'finished', integrationId: 'notes' });
        expect(await customer.page.getByRole('heading', { name: 'Customer' }).count()).to.equal(1);
      }),
    );
    expect(connections).to.equal(1);
  });

  it('asks before it discards what was typed', async () => {
    await setup.visit(chromium, async (customer) => {
      await customer.openWindow({ sessionToken: await setup.session(TWO) });
      const frame = await customer.frame();
      await button(frame, 'Desk').click();
      const subdomain = frame.getByLabel('Subdomain', { exact: true });
      await subdomain.fill('acme');
      for (const goBack of [() => button(frame, 'Back').click(), () => back(customer.page)]) {
        await goBack();
        await frame.getByRole('alertdialog', { name: 'Discard what you typed?' }).waitFor();
        await button(frame, 'Keep editing').click();
        expect(await subdomain.inputValue()).to.equal('acme');
      }
      await back(customer.page);
      await button(frame, 'Discard').click();
      await expectHeading(frame, 'Connect an account');
      await button(frame, 'Desk').click();
      await subdomain.waitFor();
      expect(await subdomain.inputValue()).to.equal('');
    });
  });

  it('has nowhere to lead in the provider’s window', async () => {
    const connections = await made(() =>
      setup.visit(chromium, async (customer) => {
        await customer.openWindow({ sessionToken: await setup.session({ allowed_integrations: ['notes'] }) });
        const frame = await customer.frame();
        const popup = await continueTo(customer, frame, 'Notes');
        await popup.getByRole('link', { name: 'Allow' }).waitFor();
        expect(await popup.evaluate('history.length')).to.equal(1);
        expect(await popup.goBack()).to.equal(null);
        await decide(popup, 'Allow');
        await expectHeading(frame, 'Notes is connected');
      }),
    );
    expect(connections).to.equal(1);
  });
});
