import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { connectionsMade } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import type { CustomerPage } from '../support/browser-customer/customer.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { LinkVisitor, newLink } from '../support/browser-link.ts';
import { button, continueTo, decide, expectHeading } from '../support/browser-window.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('what people do twice (OAU-15)', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);
  const visitor = new LinkVisitor(chromium, setup);

  /** Returns how many connections and flows are added while `run` runs. */
  async function made(run: () => Promise<void>): Promise<{ readonly connections: number; readonly flows: number }> {
    const count = async () => Number((await setup.app.database.db('authorization_flows').count('id'))[0]?.['count']);
    const before = await count();
    const connections = await connectionsMade(setup.app, run);
    return { connections, flows: (await count()) - before };
  }

  async function open(customer: CustomerPage, sessionToken: string): Promise<Frame> {
    await customer.openWindow({ sessionToken });
    return customer.frame();
  }

  const session = (key = 'notes') => setup.session({ allowed_integrations: [key] });

  it('a double click on "Continue to Notes", and on "Allow": one window, one flow, one connection', async () => {
    const result = await made(() =>
      setup.visit(chromium, async (customer) => {
        const frame = await open(customer, await session());
        const popups: Page[] = [];
        customer.page.context().on('page', (page) => popups.push(page));
        await button(frame, 'Continue to Notes').dblclick();
        await until('its window is there', () => popups.length > 0);
        const allow = (popups[0] as Page).getByRole('link', { name: 'Allow' });
        await allow.dblclick();
        await expectHeading(frame, 'Notes is connected');
        expect(popups).to.have.length(1);
        await until('the page was told', async () => (await customer.types()).length >= 3);
        expect(await customer.types()).to.deep.equal(['ready', 'loaded', 'connect']);
      }),
    );
    expect(result).to.deep.equal({ connections: 1, flows: 1 });
  });

  it('a double click on the button of a link: one flow, one connection', async () => {
    const link = await newLink(setup);
    const result = await made(() =>
      visitor.open(link, async (page) => {
        await button(page, 'Continue to Notes').dblclick();
        await page.waitForURL(`${setup.provider.pages}/**`);
        await decide(page, 'Allow');
        await expectHeading(page, 'Notes is connected');
      }),
    );
    expect(result).to.deep.equal({ connections: 1, flows: 1 });
  });

  for (const [what, submit] of [
    ['a double click on "Connect"', (frame: Frame) => button(frame, 'Connect').dblclick()],
    [
      'the Enter key, pressed twice in a field',
      async (_: Frame, { page: { keyboard } }: CustomerPage) => {
        await keyboard.press('Enter');
        await keyboard.press('Enter');
      },
    ],
  ] as const) {
    it(`${what}: one flow, one connection`, async () => {
      const result = await made(() =>
        setup.visit(chromium, async (customer) => {
          const frame = await open(customer, await session('desk'));
          await frame.getByLabel('Subdomain', { exact: true }).fill('acme');
          await frame.getByLabel('API key', { exact: true }).fill(setup.provider.settings.apiKey);
          await submit(frame, customer);
          await expectHeading(frame, 'Desk is connected');
        }),
      );
      expect(result).to.deep.equal({ connections: 1, flows: 1 });
    });
  }

  it('the window of one session in two tabs: the tab that was used later connects, and the other says that its flow is over', async () => {
    const sessionToken = await session();
    const result = await made(() =>
      setup.visit(chromium, async (one, guard) => {
        guard.expect(/status of 400/, /status of 401/);
        const two = await setup.customer.open(one.page.context(), setup.app.url);
        const [first, second] = [await open(one, sessionToken), await open(two, sessionToken)];
        const replaced = await continueTo(one, first, 'Notes');
        await replaced.getByRole('link', { name: 'Allow' }).waitFor();
        const popup = await continueTo(two, second, 'Notes');
        await expectHeading(first, 'This attempt is over');
        // The provider window of the replaced flow is still open, so the user can still allow access there.
        await decide(replaced, 'Allow');
        await expectHeading(replaced, 'This attempt is over');
        await decide(popup, 'Allow');
        await expectHeading(second, 'Notes is connected');
        await button(first, 'Try again').click();
        await expectHeading(first, 'Already connected');
      }),
    );
    expect(result).to.deep.equal({ connections: 1, flows: 2 });
  });

  it('one form submitted in two tabs at once: one connects, and the other says so', async () => {
    const link = await newLink(setup, { allowed_integrations: ['desk'] });
    const result = await made(() =>
      visitor.open(link, async (page, profile, guard) => {
        guard.expect(/status of 401/);
        const tabs = [page, await profile.newPage()];
        await tabs[1]?.goto(link.url);
        for (const tab of tabs) {
          await tab.getByLabel('Subdomain', { exact: true }).fill('acme');
          await tab.getByLabel('API key', { exact: true }).fill(setup.provider.settings.apiKey);
        }
        await Promise.all(tabs.map((tab) => button(tab, 'Connect').click()));
        const ends = tabs.map((tab) =>
          tab.getByRole('heading', { level: 1, name: /Desk is connected|Already connected|This attempt is over/ }),
        );
        const headings = (await Promise.all(ends.map((end) => end.textContent()))).toSorted();
        expect(headings.filter((heading) => heading === 'Desk is connected')).to.have.length(1);
      }),
    );
    expect(result.connections).to.equal(1);
  });
});
