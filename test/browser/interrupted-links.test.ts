import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { connectionsMade } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { LinkVisitor, newLink } from '../support/browser-link.ts';
import { button, decide, expectHeading } from '../support/browser-window.ts';
import { rememberSecret } from '../support/canaries.ts';
import { isLong } from '../support/size.ts';
import { use } from '../support/use.ts';

const MINUTE = 60_000;

describe('a connect link whose user is interrupted (OAU-01)', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);
  const visitor = new LinkVisitor(chromium, setup);
  const made = (run: () => Promise<void>) => connectionsMade(setup.app, run);

  /** Returns the callback URL to which the provider's page would send the browser. */
  async function callbackOn(page: Page): Promise<string> {
    const url = await page.getByRole('link', { name: 'Allow' }).getAttribute('href');
    return rememberSecret('callback', url ?? '');
  }

  /** Closes a browser that shows the provider's page. @returns the browser's cookies and the callback URL of that page */
  async function leaveBrowser(
    url: string,
  ): Promise<{ cookies: Awaited<ReturnType<BrowserContext['storageState']>>; callback: string }> {
    let left: Awaited<ReturnType<typeof leaveBrowser>> | undefined;
    await visitor.open({ url }, async (page, profile) => {
      await visitor.leave(page);
      left = { cookies: await profile.storageState(), callback: await callbackOn(page) };
    });
    return left ?? expect.fail('the browser was not there');
  }

  it('connects nothing in another browser, which says so, and continues in its own browser', async () => {
    const link = await newLink(setup);
    await visitor.open(link, async (page) => {
      await visitor.leave(page);
      const callback = await callbackOn(page);
      const inOther = await made(() =>
        visitor.open({ url: callback }, async (other, _, guard) => {
          guard.expect(/status of 400/);
          await expectHeading(other, 'This attempt is over');
          await other.getByText('If nothing was connected, start again.').waitFor();
        }),
      );
      expect(inOther).to.equal(0);
      const inOwn = await made(async () => {
        await decide(page, 'Allow');
        await expectHeading(page, 'Notes is connected');
      });
      expect(inOwn).to.equal(1);
    });
  });

  for (const keepsCookies of isLong ? [false, true] : [false]) {
    it(`connects once when the browser was closed at the provider, with cookies kept: ${keepsCookies}`, async () => {
      const link = await newLink(setup);
      const connections = await made(async () => {
        const { cookies } = await leaveBrowser(link.url);
        await visitor.open(link, (page) => visitor.connect(page), keepsCookies ? { storageState: cookies } : {});
      });
      expect(connections).to.equal(1);
    });
  }

  it('connects once when the browser comes back with its cookies at the provider’s page', async () => {
    const link = await newLink(setup);
    const connections = await made(async () => {
      const { cookies: storageState, callback } = await leaveBrowser(link.url);
      const restored = async (page: Page) => {
        await expectHeading(page, 'Nothing to show');
        await page.getByText('If you have just signed in, your account may be connected already.').waitFor();
      };
      await visitor.open({ url: callback }, restored, { storageState });
      await visitor.open(link, async (page, _, guard) => {
        guard.expect(/status of 401/);
        await expectHeading(page, 'Already connected');
      });
    });
    expect(connections).to.equal(1);
  });

  it('waits 25 minutes at the provider, and connects although its session has expired meanwhile', async () => {
    const link = await newLink(setup);
    await setup.app.clock.advance(20 * MINUTE);
    const connections = await made(() =>
      visitor.open(link, async (page) => {
        await visitor.leave(page);
        await setup.app.clock.advance(25 * MINUTE);
        await decide(page, 'Allow');
        await expectHeading(page, 'Notes is connected');
      }),
    );
    expect(connections).to.equal(1);
  });

  it('waits at the provider for at most an hour, and then says what to do', async () => {
    const link = await newLink(setup);
    const connections = await made(() =>
      visitor.open(link, async (page, _, guard) => {
        guard.expect(/status of 401/);
        await visitor.leave(page);
        await setup.app.clock.advance(61 * MINUTE);
        await decide(page, 'Allow');
        await expectHeading(page, 'This attempt is over');
        await button(page, 'Try again').click();
        await expectHeading(page, 'This link has expired');
        await page.getByText('Ask for a new one.').waitFor();
      }),
    );
    expect(connections).to.equal(0);
  });

  it('is one of two that are opened in the same tab, and each connects its own account', async () => {
    const [first, second] = [await newLink(setup), await newLink(setup)];
    await visitor.open(first, async (page) => {
      await visitor.leave(page);
      await page.goto(second.url);
      await expectHeading(page, 'Connect Notes');
      expect(await made(() => visitor.connect(page))).to.equal(1);
      await page.goto(first.url);
      expect(await made(() => visitor.connect(page))).to.equal(1);
    });
  });

  for (const which of isLong ? ['first', 'second'] : ['second']) {
    it(`is opened in two tabs, of which the ${which} finishes and the other then says that the account is connected`, async () => {
      const link = await newLink(setup);
      await visitor.open(link, async (first, profile, guard) => {
        guard.expect(/status of 401/);
        const second = await profile.newPage();
        await second.goto(link.url);
        await visitor.leave(first);
        await visitor.leave(second);
        // The second tab's flow has replaced the flow of the first.
        const replaced = async () => {
          await decide(first, 'Allow');
          await expectHeading(first, 'This attempt is over');
        };
        if (which === 'first') expect(await made(replaced)).to.equal(0);
        const finished = async () => {
          await decide(second, 'Allow');
          await expectHeading(second, 'Notes is connected');
        };
        expect(await made(finished)).to.equal(1);
        if (which === 'second') expect(await made(replaced)).to.equal(0);
        await button(first, 'Try again').click();
        await expectHeading(first, 'Already connected');
      });
    });
  }
});
