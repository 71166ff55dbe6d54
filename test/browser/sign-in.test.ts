import { expect } from 'chai';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import type { CustomerPage } from '../support/browser-customer/customer.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, continueTo, decide, expectFocusOnHeading, expectHeading } from '../support/browser-window.ts';
import { createReconnectSession } from '../support/connect.ts';
import { storedWebhooks } from '../support/stored-webhooks.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const MINUTE = 60_000;
const ONLY_NOTES = { allowed_integrations: ['notes'] };
const TAGS = { end_user_id: 'u-1', end_user_email: 'ada@acme.example' };

/** Five times the 100 ms within which the dialog must be shown, because other tests run at the same time. */
const DIALOG_WITHIN_MS = 500;
/**
 * Twice the promised time for noticing a blocked popup, and less than the time for which the window waits for a popup that the
 * browser reports as open.
 */
const BLOCKED_WITHIN_MS = 8_000;
/** Measures the time from the click to the next frame, by which the dialog must be shown, since it needs no network. */
const WATCH_DIALOG = `{
  const button = document.querySelector('#open');
  let clickedAt;
  button.addEventListener('click', () => { clickedAt = performance.now(); }, { capture: true });
  button.addEventListener('click', () => {
    const status = document.querySelector('svc-connect')?.shadowRoot.querySelector('dialog:modal [role=status]');
    const isThere = status?.checkVisibility() && status.textContent === 'Loading…' && document.activeElement.localName === 'svc-connect';
    globalThis.shownAfterMs = new Promise((resolve) => requestAnimationFrame(
      () => resolve(isThere ? performance.now() - clickedAt : 'not at the end of the click')));
  });
}`;

describe('signing in at a provider, in the window', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  beforeEach(() => {
    Object.assign(setup.provider.settings, { coop: undefined, error: undefined });
  });

  const open = async (customer: CustomerPage, session: object = {}) => {
    const sessionToken = await setup.session({ allowed_integrations: ['notes'], ...session });
    await customer.openWindow({ sessionToken });
    return customer.frame();
  };
  const connections = async () => (await connectionsOf(setup.app)).length;

  it('loads before there is a token (check 1)', async () => {
    const sessionToken = await setup.session();
    await setup.visit(chromium, async (customer) => {
      await customer.read(WATCH_DIALOG);
      await customer.openWindow();
      expect(await customer.read('shownAfterMs')).to.be.below(DIALOG_WITHIN_MS);
      expect(await customer.read('document.activeElement.localName')).to.equal('svc-connect');
      const frame = await customer.frame();
      await until('it listens', async () => (await customer.types()).includes('ready'));
      expect(await customer.types()).to.deep.equal(['ready']);
      await customer.read(`void customer.handle.setSessionToken(${JSON.stringify(sessionToken)})`);
      await expectHeading(frame, 'Connect an account');
      await until('it is loaded', async () => (await customer.types()).length === 2);
      expect(await customer.types()).to.deep.equal(['ready', 'loaded']);
    });
  });

  for (const [check, coop] of [
    ['check 3', undefined],
    ['check 4, provider with COOP', 'same-origin'],
  ] as const) {
    it(`connects, closes its windows and leaves the page as it was (${check})`, async () => {
      setup.provider.settings.coop = coop;
      const before = await connections();
      await setup.visit(chromium, async (customer) => {
        const frame = await open(customer, { tags: TAGS });
        await expectHeading(frame, 'Connect Notes');
        await expectFocusOnHeading(frame);
        const popup = await continueTo(customer, frame, 'Notes');
        const closed = popup.waitForEvent('close');
        await decide(popup, 'Allow');
        await expectHeading(frame, 'Notes is connected');
        await frame.getByText('Connected as Ada').waitFor();
        await closed;
        await button(frame, 'Done').click();
        expect(await customer.outcome()).to.deep.equal({ reason: 'finished', integrationId: 'notes' });
        expect(await customer.types()).to.deep.equal(['ready', 'loaded', 'connect', 'close']);
        expect(await customer.page.locator('svc-connect').count()).to.equal(0);
        expect(await customer.read('[document.activeElement.id, document.documentElement.getAttribute("style")]')).to.deep.equal([
          'open',
          null,
        ]);
      });
      const [newest] = await connectionsOf(setup.app);
      expect(await connections()).to.equal(before + 1);
      expect(newest).to.deep.include({ provider_config_key: 'notes', tags: TAGS });
      const webhook = (await storedWebhooks(setup.app.services)).at(-1);
      expect(webhook?.body).to.deep.include({ type: 'auth', operation: 'creation', success: true });
    });
  }

  it('offers a link if the browser blocks the window, and continues with it (check 5)', async () => {
    await setup.visit(chromium, async (customer) => {
      const frame = await open(customer);
      await frame.evaluate('void (globalThis.open = () => null)');
      await button(frame, 'Continue to Notes').click();
      const since = performance.now();
      await expectHeading(frame, 'The window did not open');
      expect(performance.now() - since).to.be.below(BLOCKED_WITHIN_MS);
      const link = frame.getByRole('link', { name: /Open Notes in a new tab/ });
      const tab = customer.page.context().waitForEvent('page');
      await link.click();
      await decide(await tab, 'Allow');
      await expectHeading(frame, 'Notes is connected');
    });
  });

  it('does not interrupt a sign-in that it cannot observe, and replaces it on request (check 4)', async () => {
    setup.provider.settings.coop = 'same-origin';
    await setup.visit(chromium, async (customer) => {
      const frame = await open(customer);
      const popup = await continueTo(customer, frame, 'Notes');
      await popup.getByRole('link', { name: 'Allow' }).waitFor();
      await button(frame, 'Show the window again').dblclick();
      await frame.getByText('We can’t bring that window to the front.').waitFor();
      await decide(popup, 'Allow');
      await expectHeading(frame, 'Notes is connected');
    });
    await setup.visit(chromium, async (customer) => {
      const frame = await open(customer);
      const popup = await continueTo(customer, frame, 'Notes');
      await popup.getByRole('link', { name: 'Allow' }).waitFor();
      await popup.close();
      await button(frame, 'Show the window again').click();
      const another = customer.page.context().waitForEvent('page');
      await button(frame, 'Open a new window').click();
      await decide(await another, 'Allow');
      await expectHeading(frame, 'Notes is connected');
    });
  });

  it('says that access was refused, and connects once after "Try again" (check 6)', async () => {
    const before = await connections();
    await setup.visit(chromium, async (customer, guard) => {
      // The provider sends the browser to the callback page, whose status is 400, which the console reports.
      guard.expect(/status of 400/);
      const sessionToken = await setup.session({ allowed_integrations: ['notes'] });
      await customer.openWindow({ sessionToken });
      const frame = await customer.frame();
      const popup = await continueTo(customer, frame, 'Notes');
      await decide(popup, 'Deny');
      await frame.getByText('The sign-in at Notes was cancelled or refused. Nothing was stored.').waitFor();
      await frame.getByText('Details for support').click();
      await frame.getByText('provider_denied').waitFor();
      const text = await frame.evaluate<string>('document.documentElement.outerHTML');
      expect(text)
        .to.match(/[0-9a-f]{8}-[0-9a-f]{4}/)
        .and.not.include(sessionToken);
      expect(text).to.not.match(/code=|state=/);
      expect(await connections()).to.equal(before);

      await button(frame, 'Try again').click();
      await button(frame, 'Continue to Notes').click();
      // The provider window, which now says "Go back to the first window", is reused.
      await decide(popup, 'Allow');
      await expectHeading(frame, 'Notes is connected');
    });
    expect(await connections()).to.equal(before + 1);
  });

  it('waits for a person who needs 25 minutes, and says what to do after an hour', async () => {
    const before = await connections();
    const tokens = [await setup.session(ONLY_NOTES)];
    await setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 40[01]/);
      await customer.openWindow({ tokens });
      const frame = await customer.frame();
      const popup = await continueTo(customer, frame, 'Notes');
      await popup.getByRole('link', { name: 'Allow' }).waitFor();
      await setup.app.clock.advance(61 * MINUTE);
      await decide(popup, 'Allow');
      await expectHeading(popup, 'This attempt is over');
      await popup.getByText('Go back to the first window.').waitFor();
      await expectHeading(frame, 'This attempt is over');
      expect(await connections()).to.equal(before);

      const next = await setup.session(ONLY_NOTES);
      await customer.read(`void customer.tokens.push(${JSON.stringify(next)})`);
      await button(frame, 'Try again').click();
      await button(frame, 'Continue to Notes').click();
      // The same provider window is reused.
      await popup.waitForURL(`${setup.provider.pages}/**`);
      await setup.app.clock.advance(25 * MINUTE);
      await decide(popup, 'Allow');
      await expectHeading(frame, 'Notes is connected');
    });
    expect(await connections()).to.equal(before + 1);
  });

  it('reconnects the same account, and refuses another (check 12)', async () => {
    const { settings } = setup.provider;
    const ada = settings.account;
    await setup.visit(chromium, async (customer) => {
      const frame = await open(customer, { tags: TAGS });
      await decide(await continueTo(customer, frame, 'Notes'), 'Allow');
      await expectHeading(frame, 'Notes is connected');
    });
    const count = await connections();
    const [connected] = await connectionsOf(setup.app);
    const sessionToken = await createReconnectSession(setup.app, { connectionId: connected?.connection_id ?? '', key: 'notes' });
    await setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 400/);
      await customer.openWindow({ sessionToken });
      const frame = await customer.frame();
      await expectHeading(frame, 'Reconnect Notes');
      await frame.getByText('Sign in as Ada · ada@acme.example, as before.').waitFor();
      settings.account = { id: 'bob', name: 'Bob' };
      const popup = await continueTo(customer, frame, 'Notes');
      await decide(popup, 'Allow');
      await expectHeading(frame, 'Notes was not connected');
      await frame.getByText('This is a different Notes account from the one connected before.').waitFor();

      settings.account = ada;
      await button(frame, 'Try again').click();
      await button(frame, 'Continue to Notes').click();
      await decide(popup, 'Allow');
      await expectHeading(frame, 'Notes is connected again');
      await frame.getByText('Connected as Ada').waitFor();
    });
    expect(await connections()).to.equal(count);
    const [again] = await connectionsOf(setup.app);
    expect(again).to.deep.include({ connection_id: connected?.connection_id, tags: TAGS });
    const webhook = (await storedWebhooks(setup.app.services)).at(-1);
    expect(webhook?.body).to.deep.include({ operation: 'override', success: true, connectionId: connected?.connection_id });
  });

  // The tests of checks 3 and 4 above cover pages without a COOP header.
  for (const pageCoop of ['same-origin', 'same-origin-allow-popups']) {
    for (const providerCoop of [undefined, 'same-origin']) {
      it(`connects with COOP ${pageCoop} of the page and ${providerCoop ?? 'none'} of the provider`, async () => {
        setup.provider.settings.coop = providerCoop;
        const body = async (customer: CustomerPage) => {
          const frame = await open(customer);
          const popup = await continueTo(customer, frame, 'Notes');
          const closed = popup.waitForEvent('close');
          await decide(popup, 'Allow');
          await expectHeading(frame, 'Notes is connected');
          await closed;
        };
        await setup.visit(chromium, body, { coop: pageCoop });
      });
    }
  }
});
