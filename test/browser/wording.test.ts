import { expect } from 'chai';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import type { CustomerPage } from '../support/browser-customer/customer.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, continueTo, decide, expectHeading } from '../support/browser-window.ts';
import { createReconnectSession } from '../support/connect.ts';
import { use } from '../support/use.ts';

const VAULT = {
  display_name: 'Vault',
  docs: 'https://docs.example.com',
  auth_mode: 'API_KEY',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  identity: { endpoint: '/me', account: { id: 'id', name: 'name', email: 'email' } },
  proxy: { base_url: '${integrationConfig.server}/api' },
};
const REFUSE_CLIPBOARD = 'void (navigator.clipboard.writeText = async () => { throw new Error("not allowed") })';

describe('what the window tells people', function () {
  const chromium = useChromium(this);
  const setup = use(this, () => startConnectInstallation({ definitions: { vault: VAULT } }));

  before(() => setup.integrate('vault', { provider: 'vault' }));

  const open = async (customer: CustomerPage, sessionToken: string) => {
    await customer.openWindow({ sessionToken });
    return customer.frame();
  };

  it('asks for the key of the account that is expected, not for a sign-in', async () => {
    const connect = async (sessionToken: string, submit: string, heading: string, expected?: string) => {
      await setup.visit(chromium, async (customer) => {
        const frame = await open(customer, sessionToken);
        await frame.getByLabel('API key', { exact: true }).fill(setup.provider.settings.apiKey);
        if (expected !== undefined) await frame.getByText(expected, { exact: true }).waitFor();
        await button(frame, submit).click();
        await expectHeading(frame, heading);
      });
    };
    await connect(await setup.session({ allowed_integrations: ['vault'] }), 'Connect', 'Vault is connected');
    const [{ connection_id: connectionId } = { connection_id: '' }] = await connectionsOf(setup.app);
    const again = await createReconnectSession(setup.app, { connectionId, key: 'vault' });
    const expected = 'Use the details of Ada · ada@acme.example, as before.';
    await connect(again, 'Reconnect', 'Vault is connected again', expected);
  });

  it('selects the details where the page around forbids to copy them, and says so', async () => {
    await setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 400/);
      const frame = await open(customer, await setup.session({ allowed_integrations: ['notes'] }));
      await decide(await continueTo(customer, frame, 'Notes'), 'Deny');
      await frame.getByText('Details for support').click();
      await frame.evaluate(REFUSE_CLIPBOARD);
      await button(frame, 'Copy details').click();
      await frame.getByText('Copying didn’t work. The details are selected: copy them yourself.').waitFor();
      expect(await frame.evaluate<string>('String(getSelection())')).to.include('provider_denied');
      await frame.evaluate('delete navigator.clipboard.writeText');
      await button(frame, 'Copy details').click();
      await button(frame, 'Copied').waitFor();
    });
  });
});
