import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { button } from '../support/browser-window.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('the inbox in the dashboard', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp({ env: { SVC_OUTBOUND_ALLOW: '' } }));

  before(() => app.services.deliverer.start());

  it('shows received webhooks with their headers and signatures, and can be emptied', () =>
    visitAs({ chromium, app }, { role: 'developer', path: 'e/dev/webhooks/inbox' }, async (page, { member }) => {
      await page.getByText('set the inbox as the webhook URL.').waitFor();
      await member.ui.patch('/api/ui/e/dev/settings', { webhook_url: 'inbox' });
      await member.ui.post('/api/ui/e/dev/webhook-messages/test', { type: 'auth' });
      const inbox = async () => (await member.ui.get('/api/ui/e/dev/webhook-inbox')).body.data;
      await until('it has arrived', async () => (await inbox()).length === 1);
      await button(page, 'Reload').click();
      await page.getByText('Signature valid').waitFor();
      await page.getByText('Headers').click();
      await page.getByText('webhook-signature').waitFor();
      await button(page, 'Empty the inbox').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Empty the inbox' }).click();
      await page.getByText('The inbox is empty').waitFor();
      expect(await inbox()).to.deep.equal([]);
    }));

  it('has the signing key beside it, which is shown on request and hidden again', () =>
    visitAs({ chromium, app }, { role: 'developer', path: 'e/dev/webhooks/endpoints' }, async (page) => {
      await button(page, 'Reveal').click();
      await page.getByText(/^whsec_/).waitFor();
      await button(page, 'Hide').click();
      await page.getByText(/^whsec_/).waitFor({ state: 'detached' });
    }));
});
