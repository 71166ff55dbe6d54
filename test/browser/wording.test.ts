import { expect } from 'chai';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import type { CustomerPage } from '../support/browser-customer/customer.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, continueTo, decide, expectHeading } from '../support/browser-window.ts';
import { createReconnectSession } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import { use } from '../support/use.ts';

const VAULT = {
  display_name: 'Vault',
  docs: 'https://docs.example.com',
  auth_mode: 'API_KEY',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  identity: { endpoint: '/me', account: { id: 'id', name: 'name', email: 'email' } },
  proxy: { base_url: '${integrationConfig.server}/api' },
};
const SENTENCE = 'The site is being moved to another region.';
const MOVING = { ...VAULT, display_name: 'Moving', plugin: 'moving', identity: undefined };
const PLUGIN = `
import { PluginError, type ProviderPlugin } from '#contract';

export default {
  contract: 1,
  auth: {
    async authenticate() {
      throw new PluginError('provider_unavailable', '${SENTENCE}');
    },
  },
} satisfies ProviderPlugin;
`;
const REFUSE_CLIPBOARD = 'void (navigator.clipboard.writeText = async () => { throw new Error("not allowed") })';

describe('the texts of the window', function () {
  const chromium = useChromium(this);
  const plugins = use(this, () => makeFolders({ 'README.md': '', 'moving/plugin.ts': PLUGIN }));
  const setup = use(this, () =>
    startConnectInstallation({ env: { SVC_PLUGINS_DIR: plugins.path }, definitions: { vault: VAULT, moving: MOVING } }),
  );

  before(async () => {
    await setup.integrate('vault', { provider: 'vault' });
    await setup.integrate('moving', { provider: 'moving' });
  });

  const open = async (customer: CustomerPage, sessionToken: string) => {
    await customer.openWindow({ sessionToken });
    return customer.frame();
  };

  it('ask for the key of the expected account, not for a sign-in', async () => {
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

  it('are selected for copying by hand if the page around forbids the clipboard, and the window says so', async () => {
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

  it('can be copied, including the provider’s message', async () => {
    await setup.visit(chromium, async (customer) => {
      const frame = await open(customer, await setup.session({ allowed_integrations: ['moving'] }));
      await frame.getByLabel('API key', { exact: true }).fill(setup.provider.settings.apiKey);
      await button(frame, 'Connect').click();
      await expectHeading(frame, 'Moving was not connected');
      await frame.getByText('Details for support').click();
      await frame.evaluate('void (navigator.clipboard.writeText = async (text) => { globalThis.written = text; })');
      await button(frame, 'Copy details').click();
      await button(frame, 'Copied').waitFor();
      const copied = await frame.evaluate<string>('written');
      expect(copied.split('\n')).to.include(`Message: ${SENTENCE}`).and.include('Code: provider_unreachable');
      expect(copied).to.match(/^Reference: \S+$/m);
    });
  });

  it('show details for developers only when they are opened', async () => {
    await updateConnectSettings(setup.app.services.db, 1, { allowed_origins: ['https://elsewhere.example'] });
    await setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 403/);
      const frame = await open(customer, await setup.session());
      await expectHeading(frame, 'This page isn’t allowed to open this window');
      await frame.getByText(`The page is ${setup.customer.origin}.`).waitFor();
      const hint = frame.getByText(`Add ${setup.customer.origin} to the allowed origins of the environment.`);
      expect(await hint.isVisible()).to.equal(false);
      await frame.getByText('For developers', { exact: true }).click();
      await hint.waitFor();
    });
    await updateConnectSettings(setup.app.services.db, 1, { allowed_origins: null });
  });
});
