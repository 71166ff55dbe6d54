import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { createSession, readConnection } from '../support/connect.ts';
import { DIRECT_METHODS, startDirectApp } from '../support/direct.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { newPem } from '../support/signing-keys.ts';
import { use } from '../support/use.ts';

/** Returns a private key without line breaks, because single-line inputs drop them from pasted text. */
function pastedPem(): string {
  return rememberSecret('pasted private key', newPem().replaceAll('\n', ''));
}

/** For each form, the values to type by the label of the form field, and for each stored property the label of its form field. */
const FORMS = {
  keyed: { typed: { 'API key': canary('typed API key') }, stored: { apiKey: 'API key' } },
  login: {
    typed: { 'User name': 'ada', Password: ` ${canary('typed password')} ` },
    stored: { username: 'User name', password: 'Password' },
  },
  client: {
    typed: { 'Client ID': 'a-client', 'Client secret': canary('typed client secret') },
    stored: { client_id: 'Client ID', client_secret: 'Client secret' },
  },
  signed: {
    typed: { Account: '1234567', 'Token ID': 'a-token', 'Token secret': canary('typed token secret') },
    stored: { token_id: 'Token ID', token_secret: 'Token secret' },
  },
  digest: {
    typed: { 'User name': 'account001', Password: canary('typed signing password') },
    stored: { username: 'User name', password: 'Password' },
  },
  stepped: { typed: { 'User name': 'ada', Password: canary('typed password of a sign-in') }, stored: {} },
  session: {
    typed: {
      'User name': 'ada',
      Password: canary('typed BILL password'),
      'Organization ID': '008X',
      'Developer key': canary('typed developer key'),
    },
    stored: { username: 'User name', password: 'Password', organization_id: 'Organization ID', dev_key: 'Developer key' },
  },
  tokened: {
    typed: { 'Signing key': pastedPem(), 'Key ID': 'a-key', Issuer: 'an-issuer', 'Account (optional)': 'acme' },
    stored: { privateKey: 'Signing key', privateKeyId: 'Key ID' },
  },
  store: {
    typed: { 'Private key': pastedPem(), 'Key ID': 'a-key', 'Issuer ID': 'an-issuer' },
    stored: { private_key: 'Private key' },
  },
  open: { typed: {}, stored: {} },
};

describe('the page behind a connect link that asks for credentials, in Chromium', function () {
  const chromium = useChromium(this);
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startDirectApp(provider));

  /** Collects the errors in the browser's console, except those of intended refusals and of these providers' missing logos. */
  function watch(page: Page): string[] {
    const errors: string[] = [];
    page.on('console', (message) => {
      const isMeant = message.text().includes('status of 400') || message.location().url.includes('/logos/');
      if (message.type() === 'error' && !isMeant) errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    return errors;
  }

  async function fill(page: Page, typed: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(text);
  }

  for (const { key } of Object.values(DIRECT_METHODS)) {
    it(`asks for the values that ${key} needs, and connects`, async () => {
      await chromium.unguarded(async (browser) => {
        const { typed, stored }: { typed: Record<string, string>; stored: Record<string, string> } = FORMS[key];
        const page = await browser.newPage();
        const errors = watch(page);
        await page.goto(`${app.url}/connect/l#${await createSession(app, { allowed_integrations: [key] })}`);
        const button = page.getByRole('button', { name: 'Connect', exact: true });
        await button.waitFor();
        const [first] = Object.keys(typed);
        if (first !== undefined) {
          await button.click();
          await page.getByText(`Enter ${first}.`).last().waitFor();
        }
        await fill(page, { ...typed, 'Site (optional)': ' acme ' });
        await button.click();
        await page.getByRole('heading', { name: /is connected/ }).waitFor();
        await page.getByText('You can close this tab.').waitFor();
        expect(await page.locator('input').count()).to.equal(0);
        expect(await page.evaluate(() => [sessionStorage.length, localStorage.length])).to.deep.equal([0, 0]);
        expect(errors).to.deep.equal([]);

        const [newest] = await connectionsOf(app);
        const { body } = await readConnection(app, { connectionId: newest?.connection_id ?? '', key });
        for (const [member, label] of Object.entries(stored)) expect(body.credentials[member]).to.equal(typed[label]);
        expect(body.connection_config).to.include({ site: 'acme' });
      });
    });
  }

  it('explains a refusal, keeps the typed values, and leaves the link usable', async () => {
    await chromium.unguarded(async (browser) => {
      const page = await browser.newPage();
      const errors = watch(page);
      await page.goto(`${app.url}/connect/l#${await createSession(app, { allowed_integrations: ['keyed'] })}`);
      const button = page.getByRole('button', { name: 'Connect', exact: true });
      await button.waitFor();
      const before = (await connectionsOf(app)).length;
      await fill(page, { 'API key': 'a b' });
      await button.click();
      await page.getByText('API key has the wrong format.').waitFor();
      await fill(page, { 'API key': canary('refused API key') });
      provider.next('api', { response: { status: 401 } });
      await button.click();
      await page.getByRole('alert').getByText('Keyed didn’t accept these details. Check them and try again.').waitFor();
      expect(await page.locator('input:focus').getAttribute('type')).to.equal('password');
      expect(await connectionsOf(app)).to.have.length(before);
      await button.click();
      await page.getByRole('heading', { name: /is connected/ }).waitFor();
      expect(await connectionsOf(app)).to.have.length(before + 1);
      expect(errors).to.deep.equal([]);
    });
  });

  it('asks only for new credentials when a connection is authorized again', async () => {
    await chromium.unguarded(async (browser) => {
      const [newest] = await connectionsOf(app);
      const connected = { connectionId: newest?.connection_id ?? '', key: 'keyed' };
      const input = { connection_id: connected.connectionId, integration_id: connected.key };
      const { body } = await app.api.post('/connect/sessions/reconnect', input);
      const page = await browser.newPage();
      await page.goto(`${app.url}/connect/l#${rememberSecret('connect session token', body.data.token)}`);
      await page.getByRole('button', { name: 'Reconnect', exact: true }).waitFor();
      expect(await page.locator('input').count()).to.equal(1);
      const apiKey = canary('new API key');
      await fill(page, { 'API key': apiKey });
      await page.getByRole('button', { name: 'Reconnect', exact: true }).click();
      await page.getByRole('heading', { name: /is connected/ }).waitFor();
      expect((await readConnection(app, connected)).body.credentials).to.include({ apiKey });
    });
  });
});
