import { updateConnectSettings } from '../../../core/tenants/environments/connect-settings-store.ts';
import { connectionsOf } from '../authorization.ts';
import type { CustomerPage } from '../browser-customer/customer.ts';
import { button, decide } from '../browser-window.ts';
import { canary } from '../canaries.ts';
import { createReconnectSession } from '../connect.ts';
import type { Tour } from './tour.ts';

const MINUTE = 60_000;

type Walk = (tour: Tour) => Promise<void>;

/** Walks through the screens of the connect window. */
export const WINDOW_WALKS: Readonly<Record<string, Walk>> = {
  loading,
  picker,
  form,
  'sign-in': signIn,
  'blocked-window': blockedWindow,
  choice,
  reconnect,
  end,
};

/** Screen C0, as the SDK and as the window show it, and the screen that follows if there is no session token. */
async function loading(tour: Tour): Promise<void> {
  await tour.page(async (customer) => {
    const document = await hold(customer, '**/connect');
    await customer.openWindow({ lang: tour.dress.locale, tokens: [null] });
    await tour.look('loading-sdk', customer.page.mainFrame());
    document.release();
    const frame = await customer.frame();
    await tour.show('ended-without-token', frame, tour.say('missing_heading'));
  });
  await tour.page(async (customer) => {
    const session = await hold(customer, '**/connect/session');
    const form = await hold(customer, '**/connect/integrations/*');
    const frame = await tour.open(customer, await tour.session('desk'));
    await frame.locator('.bone').first().waitFor();
    await tour.look('loading', frame);
    session.release();
    await tour.show('opening', frame, tour.say('connect_heading', 'desk'));
    form.release();
  });
}

/** Screen C1: the integrations to choose from. */
async function picker(tour: Tour): Promise<void> {
  await tour.window(undefined, async (frame, customer) => {
    await tour.show('picker', frame, tour.say('pick_heading'));
    await customer.page.keyboard.press('ArrowDown');
    await customer.page.keyboard.press('ArrowDown');
    await tour.look('picker-focus', frame);
    const search = frame.getByRole('searchbox');
    await search.fill('zzz');
    await frame.getByText('zzz').first().waitFor();
    await tour.look('picker-empty', frame);
  });
}

/** Screen C2: the form. */
async function form(tour: Tour): Promise<void> {
  const { provider } = tour.setup;
  await tour.window('desk', async (frame, customer) => {
    const [subdomain, secret] = [frame.locator('.input').first(), frame.locator('.input').last()];
    await tour.show('form', frame, tour.say('connect_heading', 'desk'));
    await tour.click(frame, 'connect');
    await frame.locator('[aria-invalid=true]').first().waitFor();
    await tour.look('form-faults', frame);
    await subdomain.fill('northwind-emea');
    await secret.fill(canary('wrong key'));
    await frame.locator('.affix > button').focus();
    await customer.page.context().setOffline(true);
    await frame.locator('.offline').waitFor();
    await tour.look('form-offline', frame);
    await customer.page.context().setOffline(false);
    const check = provider.hold('/api/check');
    await tour.click(frame, 'connect');
    await button(frame, tour.say('cancel')).waitFor();
    await tour.look('form-checking', frame);
    check.release();
    await frame.getByRole('alert').first().waitFor();
    await tour.look('form-rejected', frame);
    await secret.fill(provider.settings.apiKey);
    await frame.locator('.bar').getByRole('button').last().click();
    await button(frame, tour.say('keep_editing')).waitFor();
    await tour.look('form-discard', frame);
    await tour.click(frame, 'keep_editing');
    await tour.click(frame, 'connect');
    await tour.show('success-form', frame, tour.say('success_heading', 'desk'));
  });
  await tour.window('app-store-connect', async (frame) => {
    await frame.locator('textarea').waitFor();
    await frame.locator('button[type=submit]').click();
    await frame.locator('[aria-invalid=true]').first().waitFor();
    await tour.look('form-many-fields', frame);
  });
}

/** Screens C3 to C7, and the result pages of C11 in the popup window. */
async function signIn(tour: Tour): Promise<void> {
  await tour.window(undefined, async (frame, customer) => {
    await frame.locator('.row').getByText(tour.dress.names.notes, { exact: true }).click();
    await tour.show('sign-in', frame, tour.say('connect_heading', 'notes'));
    const opening = customer.page.context().waitForEvent('page');
    await tour.click(frame, 'continue_to', 'notes');
    const popup = await opening;
    await popup.getByRole('link', { name: 'Deny' }).waitFor();
    await tour.show('waiting', frame, tour.say('waiting_heading', 'notes'));
    await decide(popup, 'Deny');
    await popup.waitForURL('**/oauth/callback?**');
    await tour.look('popup-refused', popup);
    await tour.show('failure', frame, tour.say('denied_heading', 'notes'));
    await frame.locator('summary').click();
    await tour.look('failure-details', frame);

    await tour.click(frame, 'try_again');
    await tour.click(frame, 'continue_to', 'notes');
    const token = tour.setup.provider.hold('/token');
    // The click resolves only when the next page has loaded, and that page waits for the held response with the token.
    const allowed = decide(popup, 'Allow');
    await tour.show('verifying', frame, tour.say('verifying_heading'));
    token.release();
    await allowed;
    await tour.look('popup-connected', popup);
    await tour.show('success', frame, tour.say('success_heading', 'notes'));
  });
}

async function blockedWindow(tour: Tour): Promise<void> {
  await tour.window('notes', async (frame) => {
    await frame.evaluate('void (globalThis.open = () => null)');
    await tour.click(frame, 'continue_to', 'notes');
    await tour.show('blocked', frame, tour.say('blocked_heading'));
  });
}

/** The screens on which the user chooses one of several tenants of the provider. */
async function choice(tour: Tour): Promise<void> {
  await tour.window('sites', async (frame, customer) => {
    const opening = customer.page.context().waitForEvent('page');
    await tour.click(frame, 'continue_to', 'sites');
    const popup = await opening;
    await decide(popup, 'Allow');
    await popup.waitForURL('**/oauth/callback?**');
    await tour.look('popup-choosing', popup);
    await tour.show('choice', frame, tour.say('choice_heading'));
    await tour.click(frame, 'choice_submit');
    await frame.getByText(tour.say('choice_required')).waitFor();
    await tour.look('choice-missing', frame);
    await frame.getByRole('radio').first().check();
    await tour.look('choice-made', frame);
    await tour.click(frame, 'choice_submit');
    await tour.show('success-choice', frame, tour.say('success_heading', 'sites'));
  });
}

/** The screens on which the user reconnects an existing connection, which requires the same provider account. */
async function reconnect(tour: Tour): Promise<void> {
  await tour.window('notes', async (frame, customer) => {
    const opening = customer.page.context().waitForEvent('page');
    await tour.click(frame, 'continue_to', 'notes');
    await decide(await opening, 'Allow');
    await frame.locator('.ring.ok').waitFor();
  });
  const [{ connection_id: connectionId } = { connection_id: '' }] = await connectionsOf(tour.setup.app);
  const sessionToken = await createReconnectSession(tour.setup.app, { connectionId, key: 'notes' });
  await tour.page(async (customer) => {
    const frame = await tour.open(customer, sessionToken);
    await tour.show('reconnect', frame, tour.say('reconnect_heading', 'notes'));
    const opening = customer.page.context().waitForEvent('page');
    await tour.click(frame, 'continue_to', 'notes');
    await decide(await opening, 'Allow');
    await tour.show('success-again', frame, tour.say('success_again_heading', 'notes'));
  });
}

/** Screens C8 to C10: the window has ended, the session offers no integration, or the page around the window is not allowed. */
async function end(tour: Tour): Promise<void> {
  const { app } = tour.setup;
  const { db } = app.services;
  const open = (sessionToken: string, screen: string, heading: string) =>
    tour.page(async (customer) => tour.show(screen, await tour.open(customer, sessionToken), heading));
  const sessionToken = await tour.session();
  await updateConnectSettings(db, 1, { allowed_origins: ['https://app.northwind.example'] });
  await open(sessionToken, 'not-allowed', tour.say('not_allowed_heading'));
  await updateConnectSettings(db, 1, { allowed_origins: [] });
  const nothing = await tour.session('gone');
  await app.api.delete('/integrations/gone');
  await open(nothing, 'nothing', tour.say('nothing_heading'));
  await app.clock.advance(31 * MINUTE);
  await open(sessionToken, 'ended-expired', tour.say('expired_heading'));
}

/** Holds back the browser's requests for this URL pattern until they are released. */
async function hold({ page }: CustomerPage, address: string): Promise<{ release(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return { release: resolve };
}
