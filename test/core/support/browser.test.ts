import { expect } from 'chai';
import { withChromium } from '../../support/browser.ts';
import { startFakeApplication } from '../../support/fake-application.ts';
import { startHonestProvider } from '../../support/honest-provider/honest-provider.ts';

describe('honest provider in Chromium', () => {
  it('comes back to the callback after a press of the button', async function () {
    await withChromium(this, async (browser) => {
      await using application = await startFakeApplication();
      const redirectUri = `${application.url}/callback`;
      await using provider = await startHonestProvider({ redirectUris: [redirectUri] });
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: provider.clients.basic.clientId,
        redirect_uri: redirectUri,
        scope: 'notes',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
      });
      const page = await browser.newPage();
      await page.goto(`${provider.url}/auth?${query}`);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL(`${redirectUri}?**`);
      expect(new URL(page.url()).searchParams.get('code')).to.be.a('string');
    });
  });
});
