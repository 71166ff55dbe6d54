import { expect } from 'chai';
import type { BrowserContext, Frame } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, expectHeading } from '../support/browser-window.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const KB_16 = 16_384;
const FORM = {
  display_name: 'Ledger',
  docs: 'https://docs.example.com',
  auth_mode: 'API_KEY',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  connection_config: {
    site: { type: 'string', title: 'Site', format: 'hostname', suffix: '.acme.test', order: 1 },
    account: { type: 'string', title: 'Account', hint: 'acct_.+', example: 'acct_1', optional: true, order: 2 },
    plan: { type: 'string', title: 'Plan', enum: ['free', 'paid'], default_value: 'free', order: 3 },
    seats: { type: 'string', title: 'Seats', optional: true, visible_when: { field: 'plan', equals: 'paid' }, order: 4 },
    certificate: { type: 'string', title: 'Certificate', multiline: true, optional: true, order: 5 },
  },
  proxy: { base_url: '${integrationConfig.server}/api' },
};
const FOCUSED = 'document.activeElement.type';

describe('the details of a form', function () {
  const chromium = useChromium(this);
  const setup = use(this, () => startConnectInstallation({ definitions: { ledger: FORM } }));

  before(() => setup.integrate('ledger', { provider: 'ledger' }));

  const visit = (body: (frame: Frame, profile: BrowserContext) => Promise<void>) =>
    setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 429|ERR_INTERNET_DISCONNECTED/);
      await customer.openWindow({ sessionToken: await setup.session({ allowed_integrations: ['ledger'] }) });
      const frame = await customer.frame();
      await expectHeading(frame, 'Connect Ledger');
      await body(frame, customer.page.context());
    });
  const field = (frame: Frame, name: string) => frame.getByLabel(name, { exact: true });
  const fillIn = async (frame: Frame) => {
    await field(frame, 'Site').fill('foo');
    await field(frame, 'API key').fill(setup.provider.settings.apiKey);
  };

  it('shows a secret on request, and hides it again', async () => {
    await visit(async (frame) => {
      const key = field(frame, 'API key');
      const toggle = frame.getByRole('button', { name: 'Show API key' });
      await key.fill('typed');
      for (const [isShown, type] of [
        ['false', 'password'],
        ['true', 'text'],
        ['false', 'password'],
      ]) {
        expect(await toggle.getAttribute('aria-pressed')).to.equal(isShown);
        expect(await key.getAttribute('type')).to.equal(type);
        expect(await key.inputValue()).to.equal('typed');
        await toggle.click();
      }
    });
  });

  it('says which part of a pasted address it kept, until something else is typed', async () => {
    await visit(async (frame) => {
      const site = field(frame, 'Site');
      await site.fill('https://foo.acme.test/inbox');
      await site.blur();
      await frame.getByRole('status').getByText('We kept foo.').waitFor();
      expect(await site.inputValue()).to.equal('foo');
      await site.fill('bar');
      await frame.getByText('We kept foo.').waitFor({ state: 'detached' });
    });
  });

  it('describes a field with the hint that its value looks unusual', async () => {
    await visit(async (frame) => {
      const account = field(frame, 'Account (optional)');
      await account.fill('17');
      await account.blur();
      const hint = frame.getByText('This does not look like Account. Example: acct_1', { exact: true });
      await hint.waitFor();
      const ids = ((await account.getAttribute('aria-describedby')) ?? '').split(' ');
      expect(ids).to.include(await hint.getAttribute('id'));
      expect(await account.getAttribute('aria-invalid')).to.equal('false');
      await account.fill('acct_17');
      await hint.waitFor({ state: 'detached' });
      expect(await account.getAttribute('aria-describedby')).to.equal(null);
    });
  });

  it('shows a field that depends on another one’s value, without moving the focus', async () => {
    await visit(async (frame) => {
      expect(await field(frame, 'Seats (optional)').count()).to.equal(0);
      await frame.getByRole('radio', { name: 'free' }).focus();
      await frame.page().keyboard.press('ArrowDown');
      await field(frame, 'Seats (optional)').waitFor();
      expect(await frame.evaluate(FOCUSED)).to.equal('radio');
      await frame.page().keyboard.press('ArrowUp');
      await field(frame, 'Seats (optional)').waitFor({ state: 'detached' });
      expect(await frame.evaluate(FOCUSED)).to.equal('radio');
    });
  });

  it('reads a file of up to 16 KB, and says which files it cannot read', async () => {
    await visit(async (frame) => {
      const certificate = field(frame, 'Certificate (optional)');
      const load = (buffer: Buffer) =>
        frame.locator('input[type=file]').setInputFiles({ name: 'key.pem', mimeType: 'text/plain', buffer });
      await button(frame, 'Load from file…').waitFor();
      await load(Buffer.alloc(KB_16, 'a'));
      await until('the file is read', async () => (await certificate.inputValue()).length === KB_16);
      await load(Buffer.alloc(KB_16 + 1, 'b'));
      await frame.getByText('This file is too large. Use one of at most 16 KB.').waitFor();
      await load(Buffer.from([0xff, 0xfe, 0x00]));
      await frame.getByText('This file could not be read.').waitFor();
      expect(await certificate.inputValue()).to.equal('a'.repeat(KB_16));
      await load(Buffer.from('-----BEGIN'));
      await frame.getByText('This file could not be read.').waitFor({ state: 'detached' });
      expect(await certificate.inputValue()).to.equal('-----BEGIN');
    });
  });

  it('counts down after too many attempts, and keeps what was typed', async () => {
    await visit(async (frame, profile) => {
      const error = { code: 'too_many_request', message: 'too many' };
      const headers = { 'retry-after': '6', 'svc-request-id': 'req-1' };
      await profile.route('**/connect/flows', (route) => route.fulfill({ status: 429, headers, json: { error } }), { times: 1 });
      await fillIn(frame);
      await button(frame, 'Connect').click();
      await frame.getByText(/^Too many attempts\. Wait [1-6] seconds\.$/).waitFor();
      const again = button(frame, 'Try again');
      expect(await again.getAttribute('aria-disabled')).to.equal('true');
      // A button with `aria-disabled` can still be clicked.
      await again.click({ force: true });
      await expectHeading(frame, 'Ledger was not connected');
      await frame.getByText('Details for support').click();
      await frame.getByText('req-1', { exact: true }).waitFor();
      await frame.getByText('Too many attempts.', { exact: true }).waitFor();
      expect(await again.getAttribute('aria-disabled')).to.equal('false');
      await again.click();
      await expectHeading(frame, 'Connect Ledger');
      expect(await field(frame, 'Site').inputValue()).to.equal('foo');
      await button(frame, 'Connect').click();
      await expectHeading(frame, 'Ledger is connected');
    });
  });

  it('waits for the network, and continues by itself', async () => {
    await visit(async (frame, profile) => {
      await fillIn(frame);
      await profile.setOffline(true);
      const offline = frame.getByText('You’re offline. This goes on by itself when you’re back.');
      await offline.waitFor();
      await button(frame, 'Connect').click();
      await frame.getByText('Connecting Ledger…').waitFor();
      await profile.setOffline(false);
      await expectHeading(frame, 'Ledger is connected');
      await offline.waitFor({ state: 'detached' });
    });
  });
});
