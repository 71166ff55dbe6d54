import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { rememberSecret } from '../support/canaries.ts';
import { byName, codeAt, type PasswordMember, withPassword } from '../support/dashboard/factors.ts';
import { REFUSED } from '../support/dashboard/visit.ts';
import { freePort } from '../support/free-port.ts';
import { use } from '../support/use.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Adds a virtual authenticator to the browser (CDP, domain WebAuthn) that approves everything. */
async function withAuthenticator(profile: BrowserContext, page: Page): Promise<void> {
  const session = await profile.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signIn(page: Page, { url }: TestApp, { member, password }: PasswordMember, path = ''): Promise<void> {
  await page.goto(`${url}/${path}`);
  await page.getByLabel('E-mail').fill(member.email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

async function signOut(page: Page, { name }: PasswordMember['member']): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').waitFor();
}

/** Returns the secret that the dialog shows for people who type it into an authenticator app. */
async function secretOf(page: Page): Promise<string> {
  const secret = await page.getByRole('dialog').locator('.copyable code').textContent();
  return rememberSecret('secret of an app', secret ?? '');
}

async function savedCodes(page: Page): Promise<readonly string[]> {
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  const codes = await page.getByRole('dialog').locator('ol code').allTextContents();
  for (const code of codes) rememberSecret('recovery code', code);
  return codes;
}

describe('the second factor in the dashboard', function () {
  this.timeout(60_000);
  const chromium = useChromium(this);
  const app = use(this, async () => startApp({ env: byName(await freePort()) }));
  const visit = (body: (page: Page, profile: BrowserContext) => Promise<void>, to: TestApp = app) =>
    chromium.profile({ origins: [to.url], locale: 'en-US' }, async (profile, guard) => {
      guard.expect(REFUSED);
      await body(await profile.newPage(), profile);
    });
  const nextCode = async (secret: string) => {
    await app.clock.advance(30_000, app.database.db);
    return codeAt(secret, app.clock.now());
  };

  it('is an app: enrolled and used by the keyboard alone, and replaced by a recovery code', async () => {
    const person = await withPassword(app, 'admin');
    await visit(async (page) => {
      await signIn(page, app, person, 'account/security');
      await button(page, 'Add authenticator app').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: 'QR code' }).waitFor();
      const secret = await secretOf(page);
      await page.getByLabel('Code from your authenticator app').focus();
      await page.keyboard.type('000000');
      await page.keyboard.press('Enter');
      await page.getByText('This code isn’t right').waitFor();
      await page.getByLabel('Code from your authenticator app').fill(await nextCode(secret));
      await page.keyboard.press('Enter');
      const codes = await savedCodes(page);
      expect(codes).to.have.length(10);
      for (let pressed = 0; pressed < 3; pressed += 1) await page.keyboard.press('Escape');
      await button(page, 'I have saved them').focus();
      await page.keyboard.press('Enter');
      await page.getByText('10 of 10 left').waitFor();
      await signOut(page, person.member);

      await signIn(page, app, person, 'login?return=account/members');
      await page.getByText(`You sign in as ${person.member.email}.`).waitFor();
      await page.getByLabel('Code from your authenticator app').fill(await nextCode(secret));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Invite somebody' }).waitFor();
      await signOut(page, person.member);

      await signIn(page, app, person, 'login?return=account/security');
      await button(page, 'Use a recovery code').focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('Recovery code').fill(codes[0] ?? '');
      await page.keyboard.press('Enter');
      await page.getByText('9 of 10 left').waitFor();
    });
  });

  it('is a passkey: created, used at sign-in and as a confirmation, and removed', async () => {
    const person = await withPassword(app, 'admin');
    await visit(async (page, profile) => {
      await withAuthenticator(profile, page);
      await signIn(page, app, person, 'account/security');
      await button(page, 'Add passkey').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Work laptop');
      await page.keyboard.press('Enter');
      await savedCodes(page);
      await button(page, 'I have saved them').click();
      await page.getByText('Work laptop').waitFor();
      await button(page, 'Add passkey').click();
      await dialog.getByLabel('Name').fill('The same');
      await page.keyboard.press('Enter');
      await page.getByText('has a passkey of yours already').waitFor();
      await button(page, 'Cancel').click();
      await signOut(page, person.member);

      await signIn(page, app, person, 'login?return=account/security');
      await button(page, 'Use a passkey').click();
      await page.getByText('Work laptop').waitFor();
      await app.clock.advance(11 * 60_000, app.database.db);
      await button(page, 'Remove Work laptop').click();
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
      await button(page, 'Use a passkey').click();
      await page.getByText('Each time you sign in, you can also be asked').waitFor();
      expect(await app.database.db('member_factors').where({ member_id: person.member.id })).to.deep.equal([]);
    });
  });

  it('is not created without the person’s consent, and the page says so', async () => {
    const person = await withPassword(app, 'admin');
    await visit(async (page, profile) => {
      const session = await profile.newCDPSession(page);
      await session.send('WebAuthn.enable');
      await signIn(page, app, person, 'account/security');
      await page.route('**/api/ui/me/factors/passkeys', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        await route.fulfill({ response, json: { data: { ...body.data, timeout: 10 } } });
      });
      await button(page, 'Add passkey').click();
      await page.getByRole('dialog').getByLabel('Name').fill('Laptop');
      await page.keyboard.press('Enter');
      await page.getByText('Your browser made no passkey.').waitFor();
    });
  });
});

describe('the second factor where it is required', function () {
  this.timeout(60_000);
  const chromium = useChromium(this);
  const app = use(this, async () => startApp({ env: { ...byName(await freePort()), SVC_REQUIRE_MFA: 'all' } }));

  it('is enrolled at the sign-in before anything else, whichever address is requested', async () => {
    const person = await withPassword(app, 'admin');
    await chromium.profile({ origins: [app.url], locale: 'en-US' }, async (profile, guard) => {
      guard.expect(REFUSED);
      const page = await profile.newPage();
      await signIn(page, app, person, 'login?return=e/dev/connections');
      const heading = page.getByRole('heading', { name: 'Set up a second factor' });
      await heading.waitFor();
      await page.goto(`${app.url}/e/dev/logs`);
      await heading.waitFor();
      await button(page, 'Add authenticator app').click();
      const secret = await secretOf(page);
      await app.clock.advance(30_000, app.database.db);
      await page.getByLabel('Code from your authenticator app').fill(codeAt(secret, app.clock.now()));
      await page.keyboard.press('Enter');
      await savedCodes(page);
      // The codes must still be shown when somebody returns from a password manager and the window gets the focus again.
      await page.evaluate('dispatchEvent(new Event("focus"))');
      await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
      await button(page, 'I have saved them').click();
      await page.waitForURL(`${app.url}/e/dev/logs`);
      const logs = page.getByRole('heading', { level: 1, name: 'Logs' });
      await logs.waitFor();
      await page.goto(`${app.url}/login/enrol?return=e/dev/logs`);
      await logs.waitFor();
    });
  });

  it('can be declined by signing out', async () => {
    const person = await withPassword(app, 'admin');
    await chromium.profile({ origins: [app.url], locale: 'en-US' }, async (profile, guard) => {
      guard.expect(REFUSED);
      const page = await profile.newPage();
      await signIn(page, app, person, 'login');
      await button(page, 'Sign out').click();
      await page.getByLabel('E-mail').waitFor();
      expect(await app.database.db('member_sessions').where({ member_id: person.member.id })).to.have.length(1);
    });
  });
});
