import { expect } from 'chai';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, expectHeading } from '../support/browser-window.ts';
import { canary } from '../support/canaries.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const STORED = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])';
const CLICK_CLOSE = `void setTimeout(() => document.querySelector('button[aria-label="Close"]').click())`;

describe('the picker and the forms of the window', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  before(async () => {
    for (const key of ['jira', 'mail', 'crm', 'chat', 'files', 'sales']) {
      await setup.integrate(key, { displayName: key[0]?.toUpperCase() + key.slice(1) });
    }
  });

  it('list several integrations, offer a search for many, and open a single one at once (check 2)', async () => {
    await setup.visit(chromium, async (customer) => {
      await customer.openWindow({ sessionToken: await setup.session({ allowed_integrations: ['jira', 'desk', 'mail'] }) });
      const frame = await customer.frame();
      await expectHeading(frame, 'Connect an account');
      expect(await frame.getByRole('listitem').count()).to.equal(3);
      expect(await frame.getByRole('searchbox').count()).to.equal(0);
    });
    await setup.visit(chromium, async (customer) => {
      await customer.openWindow({ sessionToken: await setup.session() });
      const frame = await customer.frame();
      await frame.getByRole('searchbox').fill('ji');
      await until('one is left', async () => (await frame.getByRole('listitem').count()) === 1);
      await frame.getByRole('button', { name: /^Jira/ }).waitFor();
      await frame.getByRole('searchbox').fill('zzz');
      await frame.getByText('Nothing matches “zzz”.').waitFor();
    });
    await setup.visit(chromium, async (customer) => {
      await customer.openWindow({ sessionToken: await setup.session({ allowed_integrations: ['desk'] }) });
      const frame = await customer.frame();
      await expectHeading(frame, 'Connect Desk');
      expect(await button(frame, 'Back').count()).to.equal(0);
    });
  });

  it('check what is typed, keep it in the form when it is refused, and store it nowhere else (checks 7 and 8)', async () => {
    await setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 4/);
      await customer.openWindow({ sessionToken: await setup.session({ allowed_integrations: ['desk'] }) });
      const frame = await customer.frame();
      const subdomain = frame.getByLabel('Subdomain', { exact: true });
      const key = frame.getByLabel('API key', { exact: true });
      await subdomain.pressSequentially('f');
      expect(await frame.locator('[aria-invalid=true]').count()).to.equal(0);
      await subdomain.fill('');
      await button(frame, 'Connect').click();
      await until('both fields are refused', async () => (await frame.locator('[aria-invalid=true]').count()) === 2);
      for (const field of [subdomain, key]) {
        const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
        const texts = await Promise.all(described.map((id) => frame.locator(`[id="${id}"]`).textContent()));
        expect(texts.join(' ')).to.match(/Enter (Subdomain|API key)|address such as/);
      }
      expect(await subdomain.evaluate((field) => field.matches(':focus'))).to.equal(true);
      await subdomain.fill('https://foo.acme.test/x');
      await subdomain.blur();
      expect(await subdomain.inputValue()).to.equal('foo');

      const wrong = canary('wrong key');
      await key.fill(wrong);
      await button(frame, 'Connect').click();
      await frame.getByText('Desk didn’t accept these details. Check them and try again.').first().waitFor();
      expect(await subdomain.inputValue()).to.equal('foo');
      await until('the secret has the focus', () => key.evaluate((field) => field.matches(':focus')));
      expect(await frame.evaluate<string>(STORED)).to.not.include(wrong);
      await key.fill(setup.provider.settings.apiKey);
      await button(frame, 'Connect').click();
      await expectHeading(frame, 'Desk is connected');
    });
    const [newest] = await connectionsOf(setup.app);
    expect(newest).to.deep.include({ connection_config: { subdomain: 'foo' } });
  });

  it('close at once while nothing is typed, and otherwise ask first (check 10)', async () => {
    const sessionToken = await setup.session({ allowed_integrations: ['desk'] });
    for (const way of ['Escape', 'Close', 'backdrop']) {
      await setup.visit(chromium, async (customer) => {
        await customer.openWindow({ sessionToken });
        const frame = await customer.frame();
        const subdomain = frame.getByLabel('Subdomain', { exact: true });
        await subdomain.waitFor();
        const leave = async () => {
          if (way === 'Escape') await customer.page.keyboard.press('Escape');
          // Playwright's click would afterwards wait for the frame, which this click removes.
          else if (way === 'Close') await frame.evaluate(CLICK_CLOSE);
          else await customer.page.mouse.click(5, 5);
        };
        await subdomain.fill('acme');
        await leave();
        await button(frame, 'Keep editing').click();
        expect(await subdomain.inputValue()).to.equal('acme');
        await subdomain.fill('');
        await leave();
        expect(await customer.outcome(), way).to.deep.equal({ reason: 'user' });
        expect((await customer.types()).filter((type) => type === 'close')).to.have.length(1);
      });
    }
  });
});
