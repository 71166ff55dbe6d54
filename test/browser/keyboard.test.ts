import { expect } from 'chai';
import type { Frame } from 'playwright-core';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import type { CustomerPage } from '../support/browser-customer/customer.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { forbidMouse, Keyboard } from '../support/browser-keyboard.ts';
import { expectFocusOnHeading, expectHeading } from '../support/browser-window.ts';
import { canary } from '../support/canaries.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('the window without a mouse', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  before(async () => {
    for (const key of ['jira', 'mail', 'crm', 'chat', 'files', 'sales']) {
      await setup.integrate(key, { displayName: key[0]?.toUpperCase() + key.slice(1) });
    }
  });

  interface Walk {
    readonly customer: CustomerPage;
    readonly frame: Frame;
    readonly keyboard: Keyboard;
  }

  /** Opens the window from the customer's page with Tab and Enter, and runs the test without a mouse. */
  function walk(session: object, body: (walk: Walk) => Promise<void>): Promise<void> {
    return setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 4/);
      await forbidMouse(customer.page.context());
      const sessionToken = await setup.session(session);
      await customer.read(`customer.armWindow(${JSON.stringify({ sessionToken })})`);
      const keyboard = new Keyboard(customer.page);
      await customer.page.keyboard.press('Tab');
      expect((await keyboard.focusIn(customer.page)).name).to.equal('Connect');
      await keyboard.press('Enter');
      await body({ customer, frame: await customer.frame(), keyboard });
    });
  }

  /** Waits for a new screen and asserts that its heading has the focus, so a screen reader starts there. */
  async function arrive(frame: Frame, heading: string): Promise<void> {
    await expectHeading(frame, heading);
    await frame.locator('main:not([aria-busy])').waitFor();
    await expectFocusOnHeading(frame);
    expect(await frame.evaluate('[document.activeElement.textContent, document.hasFocus()]')).to.deep.equal([heading, true]);
  }

  const focused = async ({ keyboard, frame }: Walk) => (await keyboard.focusIn(frame)).name;

  /** Asserts that the window has closed for this reason and that the focus is back on the button that opened it. */
  async function leave({ customer }: Walk, reason: string): Promise<void> {
    expect((await customer.outcome()).reason).to.equal(reason);
    expect(await customer.page.locator('svc-connect').count()).to.equal(0);
    expect(await customer.read('document.activeElement.id')).to.equal('open');
  }

  it('connects with a form, from the picker, past an invalid entry and a refusal, to the end', async () => {
    const before = (await connectionsOf(setup.app)).length;
    await walk({}, async (all) => {
      const { frame, keyboard } = all;
      await arrive(frame, 'Connect an account');
      // A letter is typed into the search field wherever the focus is.
      await keyboard.type('le');
      await frame.getByText('2 apps found').waitFor();
      expect(await focused(all)).to.equal('Search 8 apps');
      await keyboard.press('ArrowDown', 'ArrowDown', 'ArrowDown');
      expect(await focused(all)).to.equal('Sales');
      await keyboard.press('ArrowUp');
      expect(await focused(all)).to.equal('Files');
      await keyboard.press('ArrowUp', 'Escape', 'ArrowDown', 'ArrowDown', 'ArrowDown');
      expect(await focused(all)).to.equal('Desk');
      await keyboard.press('Enter');

      await arrive(frame, 'Connect Desk');
      await keyboard.tabTo(frame, 'Connect', 'forth');
      await keyboard.press('Enter');
      await until('the first wrong field has the focus', async () => (await focused(all)) === 'Subdomain');
      expect(await frame.locator('[aria-invalid=true]').count()).to.equal(2);
      await keyboard.type('acme');
      await keyboard.tabTo(frame, 'API key');
      await keyboard.type(canary('wrong key'));
      // Enter in a field submits the form.
      await keyboard.press('Enter');
      await frame.getByText('Desk didn’t accept these details.').first().waitFor();
      await until('the secret has the focus', async () => (await focused(all)) === 'API key');
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(setup.provider.settings.apiKey);
      await keyboard.tabTo(frame, 'Connect');
      await keyboard.press('Enter');

      await arrive(frame, 'Desk is connected');
      await keyboard.tabTo(frame, 'Done');
      await keyboard.press('Enter');
      await leave(all, 'finished');
    });
    expect(await connectionsOf(setup.app)).to.have.length(before + 1);
  });

  it('connects with a sign-in, from the picker and back, through the provider’s window, to the end', async () => {
    await walk({}, async (all) => {
      const { customer, frame, keyboard } = all;
      await arrive(frame, 'Connect an account');
      await keyboard.tabTo(frame, 'Mail');
      await keyboard.press('Enter');
      await arrive(frame, 'Connect Mail');
      await keyboard.tabTo(frame, 'Back', 'back');
      await keyboard.press('Space');
      await arrive(frame, 'Connect an account');
      // The slash moves the focus to the search field without being typed into it.
      await keyboard.press('/');
      await keyboard.type('ji');
      await keyboard.press('Enter');
      await arrive(frame, 'Connect Jira');
      await keyboard.tabTo(frame, 'Continue to Jira');
      const opened = customer.page.context().waitForEvent('page');
      await keyboard.press('Enter');
      const popup = await opened;
      await arrive(frame, 'Waiting for Jira');
      await popup.getByRole('heading', { name: 'Allow access?' }).waitFor();
      const closed = popup.waitForEvent('close');
      await popup.keyboard.press('Tab');
      await popup.keyboard.press('Enter');
      await closed;
      await arrive(frame, 'Jira is connected');
      await keyboard.tabTo(frame, 'Done');
      await keyboard.press('Enter');
      await leave(all, 'finished');
    });
  });

  it('keeps the focus in its dialog, in both directions', async () => {
    await walk({}, async (all) => {
      const { customer, frame, keyboard } = all;
      await arrive(frame, 'Connect an account');
      for (const key of ['Tab', 'Shift+Tab']) {
        const reached = new Set<string>();
        for (let times = 0; times < 30; times++) {
          await keyboard.press(key);
          const outside = await keyboard.focusIn(customer.page);
          // The active element is `body` while the focus is on the browser's own controls.
          expect(['svc-connect', 'body']).to.include(outside.tag);
          reached.add(await focused(all));
        }
        expect([...reached]).to.include.members(['Close', 'Search 8 apps', 'Chat', 'Sales']);
      }
    });
  });

  it('clears the search on Escape, and closes on the next one', async () => {
    await walk({}, async (all) => {
      const { frame, keyboard } = all;
      await arrive(frame, 'Connect an account');
      await keyboard.type('zzz');
      await frame.getByText('Nothing matches “zzz”.').waitFor();
      await keyboard.press('Escape');
      expect(await frame.getByRole('searchbox').inputValue()).to.equal('');
      expect(await focused(all)).to.equal('Search 8 apps');
      await keyboard.press('Escape');
      await leave(all, 'user');
    });
  });

  it('asks on Escape whether to discard what was typed, and returns to the same field', async () => {
    await walk({ allowed_integrations: ['desk'] }, async (all) => {
      const { frame, keyboard } = all;
      await arrive(frame, 'Connect Desk');
      await keyboard.tabTo(frame, 'Subdomain');
      await keyboard.type('acme');
      for (const answer of ['Enter', 'Escape']) {
        await keyboard.press('Escape');
        await until('it asks', async () => (await focused(all)) === 'Keep editing');
        await keyboard.press(answer);
        await until('it goes on', async () => (await focused(all)) === 'Subdomain');
      }
      expect(await frame.getByLabel('Subdomain', { exact: true }).inputValue()).to.equal('acme');
      await keyboard.press('Escape');
      await keyboard.tabTo(frame, 'Discard');
      await keyboard.press('Enter');
      await leave(all, 'user');
    });
  });
});
