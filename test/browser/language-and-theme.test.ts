import { expect } from 'chai';
import type { Frame } from 'playwright-core';
import { contrast, type Rgb } from '../../core/kit/color.ts';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import { useChromium } from '../support/browser.ts';
import type { CustomerPage } from '../support/browser-customer/customer.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { LinkVisitor, newLink } from '../support/browser-link.ts';
import { button, decide, expectHeading } from '../support/browser-window.ts';
import { use } from '../support/use.ts';

const YELLOW: Rgb = [255, 238, 0];
const MIN_TEXT = 4.5;
const COLORS =
  '(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector(".btn.primary")))';
const GROUND = `[document.body, document.documentElement, document.querySelector('.win')]
  .map((part) => getComputedStyle(part).backgroundColor).find((color) => color !== 'rgba(0, 0, 0, 0)')`;

function rgbOf(css: string): Rgb {
  const [red = 0, green = 0, blue = 0] = (css.match(/\d+/g) ?? []).map(Number);
  return [red, green, blue];
}

describe('the language and the look of the window', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  afterEach(() => updateConnectSettings(setup.app.services.db, 1, { brand_language: null }));

  async function open(customer: CustomerPage, options: object, session: object = {}): Promise<Frame> {
    await customer.openWindow({ sessionToken: await setup.session(session), ...options });
    return customer.frame();
  }

  const langOf = (frame: Frame) => frame.evaluate('document.documentElement.lang');

  it('is German on every screen if the page asks for it (check 14)', async () => {
    const lang = 'de';
    await setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 400/);
      const picker = await open(customer, { lang });
      await expectHeading(picker, 'Konto verbinden');
      await picker.getByText('Wählen Sie, was Sie verbinden möchten.').waitFor();
      expect(await langOf(picker)).to.equal('de');

      await picker.getByRole('button', { name: /^Desk/ }).click();
      await expectHeading(picker, 'Desk verbinden');
      await button(picker, 'Verbinden').click();
      await picker.getByText('Geben Sie „Subdomain“ ein.').first().waitFor();
      await picker.getByText('Geben Sie „API key“ ein.').first().waitFor();
      await picker.getByLabel('Subdomain', { exact: true }).fill('a b');
      await button(picker, 'Verbinden').click();
      await picker.getByText('Geben Sie eine Adresse wie acme.example.com ein.').first().waitFor();

      await button(picker, 'Zurück').click();
      await button(picker, 'Verwerfen').click();
      await picker.getByRole('button', { name: /^Notes/ }).click();
      const popup = customer.page.context().waitForEvent('page');
      await button(picker, 'Weiter zu Notes').click();
      await decide(await popup, 'Deny');
      await expectHeading(picker, 'Zugriff nicht erlaubt');
      const text = 'Die Anmeldung bei Notes wurde abgebrochen oder abgelehnt. Es wurde nichts gespeichert.';
      await picker.getByRole('alert').getByText(text, { exact: true }).waitFor();
      await button(picker, 'Erneut versuchen').waitFor();
      expect(await langOf(picker)).to.equal('de');
    });
  });

  it('is English if the requested language is unsupported (check 14)', async () => {
    await setup.visit(chromium, async (customer) => {
      const frame = await open(customer, { lang: 'xx' });
      await expectHeading(frame, 'Connect an account');
      expect(await langOf(frame)).to.equal('en');
    });
  });

  it('is the environment’s language if the page names none, whichever the browser prefers', async () => {
    await updateConnectSettings(setup.app.services.db, 1, { brand_language: 'de' });
    await setup.visit(chromium, async (customer) => {
      const frame = await open(customer, {});
      await expectHeading(frame, 'Konto verbinden');
      expect(await langOf(frame)).to.equal('de');
    });
    await setup.visit(chromium, async (customer) => {
      await expectHeading(await open(customer, { lang: 'fr' }), 'Connecter un compte');
    });
    const { url } = await newLink(setup);
    await new LinkVisitor(chromium, setup).open({ url }, async (page) => {
      await button(page, 'Weiter zu Notes').click();
      await decide(page, 'Allow');
      await expectHeading(page, 'Notes ist verbunden');
    });
  });

  for (const [theme, ofEnvironment] of [
    ['dark', 'light'],
    ['light', 'dark'],
  ] as const) {
    it(`is ${theme} if the page asks for it, and readable in the environment’s color (check 14)`, async () => {
      await updateConnectSettings(setup.app.services.db, 1, { brand_theme: ofEnvironment, brand_color: '#ffee00' });
      const options = { colorScheme: ofEnvironment };
      const body = async (customer: CustomerPage) => {
        const session = { allowed_integrations: ['notes'] };
        const frame = await open(customer, { theme }, session);
        await button(frame, 'Continue to Notes').waitFor();
        const [text = '', ground = ''] = await frame.evaluate<readonly string[]>(COLORS);
        expect(rgbOf(ground)).to.deep.equal(YELLOW);
        expect(contrast(rgbOf(text), YELLOW)).to.be.at.least(MIN_TEXT);
        expect(contrast(rgbOf(text), [0, 0, 0])).to.be.below(2);
        const page = rgbOf(await frame.evaluate<string>(GROUND));
        expect(contrast(page, theme === 'dark' ? [0, 0, 0] : [255, 255, 255])).to.be.below(1.5);
      };
      await setup.visit(chromium, body, options);
    });
  }

  it('is the one that a link asks for, also after the provider’s page', async () => {
    const { url } = await newLink(setup);
    await new LinkVisitor(chromium, setup).open({ url: url.replace('#', '?lang=de&theme=dark#') }, async (page) => {
      await button(page, 'Weiter zu Notes').click();
      await decide(page, 'Allow');
      await expectHeading(page, 'Notes ist verbunden');
      expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dataset.scheme]')).to.deep.equal([
        'de',
        'dark',
      ]);
    });
  });
});
