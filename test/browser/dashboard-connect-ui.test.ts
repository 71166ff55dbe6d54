import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** The console message for a request that the service refuses. */
const REFUSED = /status of 400/;
const BUTTON_COLOR = 'getComputedStyle(document.querySelector(".btn.primary")).backgroundColor';

describe('the look of the window, set in the dashboard', function () {
  const chromium = useChromium(this);
  // With this setting only the application may frame the connect window, and the dashboard is another origin.
  const app = use(this, () => startApp({ env: { SVC_FRAME_ANCESTORS: 'https://app.acme.example' } }));

  const visit = (role: 'developer' | 'viewer', body: (page: Page) => Promise<void>) =>
    visitAs({ chromium, app }, { role, path: 'e/dev/settings/connect-ui' }, (page, { guard }) => {
      guard.expect(REFUSED);
      return body(page);
    });

  const stored = () =>
    app.services
      .db('environments')
      .where({ name: 'dev' })
      .first(
        'brand_name',
        'brand_color',
        'brand_radius',
        'brand_theme',
        'brand_language',
        'allowed_origins',
        'return_urls',
        'brand_logo_type',
      );

  it('is seen before it is saved, is saved, and keeps the focus in the form', () =>
    visit('developer', async (page) => {
      const preview = page.frameLocator('iframe.preview');
      await preview.getByRole('button', { name: 'Connect', includeHidden: true }).waitFor();
      const name = page.getByLabel('App name');
      await name.fill('<i>Acme</i>');
      await preview.getByText('<i>Acme</i>').first().waitFor();
      expect(await name.evaluate((input) => input.ownerDocument.activeElement === input)).to.equal(true);

      await page.getByRole('textbox', { name: 'Primary colour (optional)' }).fill('#0A7D4F');
      await page.getByText('Contrast of text on buttons: 5.2 : 1 ✓').waitFor();
      const frame = page.frames().find((one) => one.url().endsWith('/connect/preview'));
      await until('the button has the colour', async () => (await frame?.evaluate(BUTTON_COLOR)) === 'rgb(10, 125, 79)');
      expect((await stored())?.brand_name).to.equal(null);

      await page.getByLabel('Corner radius').fill('12');
      await page.getByLabel('Theme').last().selectOption({ label: 'Dark' });
      await page.getByLabel('Language').selectOption({ label: 'German' });
      await preview.getByRole('button', { name: 'Verbinden', includeHidden: true }).waitFor();
      await page.getByLabel('Allowed origins').fill('https://app.acme.example\nhttps://APP.acme.example/');
      await page.getByLabel('Return URLs').fill('https://app.acme.example/settings');
      await page.getByRole('button', { name: 'Save' }).press('Enter');
      await page.getByText('Saved').waitFor();
      expect(await stored()).to.deep.include({
        brand_name: '<i>Acme</i>',
        brand_color: '#0a7d4f',
        brand_radius: 12,
        brand_theme: 'dark',
        brand_language: 'de',
        allowed_origins: ['https://app.acme.example'],
        return_urls: ['https://app.acme.example/settings'],
      });
    }));

  it('shows the service’s error message at its field', () =>
    visit('developer', async (page) => {
      await page.getByLabel('Allowed origins').fill('https://app.acme.example/path');
      await page.getByRole('button', { name: 'Save' }).press('Enter');
      await page.getByText('must be an origin such as https://app.example.com').waitFor();
    }));

  it('includes a logo that is uploaded and removed, and refuses large files and other formats', () =>
    visit('developer', async (page) => {
      const file = page.getByLabel(/^(Upload a|Replace the) logo/);
      const upload = (buffer: Buffer) => file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
      await upload(Buffer.from('<svg/>'));
      await page.getByText('The file is neither PNG nor WebP.').waitFor();
      await upload(Buffer.concat([PNG, Buffer.alloc(262_144)]));
      await page.getByText('The file is larger than 256 KB.').waitFor();
      await upload(PNG);
      await page.getByRole('img', { name: 'The present logo' }).waitFor();
      expect((await stored())?.brand_logo_type).to.equal('png');
      await page.getByRole('button', { name: 'Remove logo' }).press('Enter');
      await page.getByText('Logo removed').waitFor();
      await until('there is none', async () => (await stored())?.brand_logo_type === null);
    }));

  it('is shown to viewers, who cannot change it', () =>
    visit('viewer', async (page) => {
      await page.getByText('App name').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).isVisible()).to.equal(false);
    }));
});
