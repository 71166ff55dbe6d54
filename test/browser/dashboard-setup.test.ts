import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { firstAccountId } from '../../core/tenants/environments/environment-store.ts';
import { makeSetupToken } from '../../core/tenants/members/setup.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { forbidMouse, Keyboard } from '../support/browser-keyboard.ts';
import { button, expectHeading } from '../support/browser-window.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const ADA = { name: 'Ada Lovelace', email: 'ada@northwind.example' };
/** The console message for refusals that these tests provoke. */
const REFUSED = /status of 4/;

describe('an installation from its first visit on', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());
  const password = canary('password of the dashboard');

  const pathOf = (page: Page) => page.url().slice(app.url.length);

  function visit(path: string, body: (page: Page) => Promise<void>): Promise<void> {
    return chromium.profile({ origins: [app.url], locale: 'en-US' }, async (profile, guard) => {
      guard.expect(REFUSED);
      const page = await profile.newPage();
      await page.goto(app.url + path);
      await body(page);
    });
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('E-mail').fill(ADA.email);
    await page.getByLabel('Password').fill(password);
    await button(page, 'Sign in').click();
  }

  it('begins with the setup, refuses a wrong token, and keeps what was typed', () =>
    visit('/', async (page) => {
      await expectHeading(page, 'Set up svc');
      expect(pathOf(page)).to.equal('/setup');
      await page.getByLabel('Setup token').fill('not-the-token');
      await fillIn(page, password);
      await button(page, 'Create admin account').click();
      await page.getByText('This setup token isn’t right.').waitFor();
      expect(await page.getByLabel('Your name').inputValue()).to.equal(ADA.name);
    }));

  it('asks a visitor with an old link for another token', () =>
    visit('/setup#token=of-an-old-link', async (page) => {
      await fillIn(page, password);
      await button(page, 'Create admin account').click();
      await page.locator('[name=token][aria-invalid=true]:focus').waitFor();
      const token = page.getByLabel('Setup token');
      expect(await token.inputValue()).to.equal('of-an-old-link');
      await token.fill('another');
      await page.locator('[name=token][aria-invalid=false]').waitFor();
    }));

  it('reads a link that is pasted into the tab that shows the setup, and takes its token out of the address', () =>
    visit('/setup', async (page) => {
      await page.getByLabel('Setup token').waitFor();
      await page.evaluate(`location.assign('${app.url}/setup#token=of-an-old-link')`);
      await page.getByLabel('Setup token').waitFor({ state: 'detached' });
      expect(pathOf(page)).to.equal('/setup');
      await fillIn(page, password);
      await button(page, 'Create admin account').click();
      await page.getByText('This setup token isn’t right.').waitFor();
      expect(await page.getByLabel('Setup token').inputValue()).to.equal('of-an-old-link');
    }));

  it('is set up through the link, once and by keyboard alone; no address holds the token', () => {
    return claim(async (page, keyboard) => {
      await page.getByRole('heading', { name: 'Set up svc' }).waitFor();
      expect(pathOf(page)).to.equal('/setup');
      for (const [label, text] of Object.entries({ 'Your name': ADA.name, 'E-mail': ADA.email, Password: password })) {
        await keyboard.tabTo(page, label);
        await keyboard.type(text);
      }
      await keyboard.press('Enter');
      await until('the admin is in', async () => /^\/e\/dev\//.test(pathOf(page)));
      await page.getByRole('button', { name: ADA.name }).waitFor();
      await keyboard.press('Tab');
      expect((await keyboard.focusIn(page)).name).to.equal('Skip to content');
      await keyboard.tabTo(page, 'Environment: dev');
      await keyboard.press('Enter');
      await until('the menu has the focus', async () => (await keyboard.focusIn(page)).name === 'dev');
      await keyboard.press('ArrowDown');
      expect((await keyboard.focusIn(page)).name).to.equal('prod');
      await keyboard.press('Enter');
      await page.getByText('Production', { exact: true }).waitFor();
      expect(pathOf(page)).to.match(/^\/e\/prod\//);
      expect((await fetch(`${app.url}/setup`)).status).to.equal(404);
    });
  });

  it('leads a signed-out visitor to the sign-in, and back to the same address', () =>
    visit('/e/prod/logs?type=proxy', async (page) => {
      await expectHeading(page, 'Sign in to svc');
      await page.getByLabel('E-mail').fill(ADA.email);
      await page.getByLabel('Password').fill('not this one at all');
      await button(page, 'Sign in').click();
      await page.getByText('E-mail or password isn’t right.').waitFor();
      await signIn(page);
      await expectHeading(page, 'Logs');
      expect(pathOf(page)).to.equal('/e/prod/logs?type=proxy');
    }));

  it('signs out, and leads to the sign-in page when a session has ended', () =>
    visit('/login', async (page) => {
      await signIn(page);
      await expectHeading(page, 'Quick start');
      await app.database.db('member_sessions').delete();
      await page.getByRole('link', { name: 'svc' }).click();
      await page.reload();
      await expectHeading(page, 'Sign in to svc');
      await signIn(page);
      await page.getByRole('button', { name: ADA.name }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await expectHeading(page, 'Sign in to svc');
      expect(await app.database.db('member_sessions').select()).to.deep.equal([]);
      await page.goBack();
      await page.waitForURL(/\/login\?return=/);
      expect(pathOf(page)).not.to.contain('ended');
    }));

  async function claim(body: (page: Page, keyboard: Keyboard) => Promise<void>): Promise<void> {
    const token = await setupToken(app);
    await chromium.profile({ origins: [app.url], locale: 'en-US' }, async (profile, guard) => {
      guard.expect(REFUSED);
      await forbidMouse(profile);
      const page = await profile.newPage();
      await page.goto(`${app.url}/setup#token=${token}`);
      await body(page, new Keyboard(page));
    });
  }
});

async function fillIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Your name').fill(ADA.name);
  await page.getByLabel('E-mail').fill(ADA.email);
  await page.getByLabel('Password').fill(password);
}

async function setupToken({ services }: TestApp): Promise<string> {
  return rememberSecret('setup token', await makeSetupToken(services, (await firstAccountId(services.db)) ?? 0));
}
