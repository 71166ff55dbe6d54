import { expect } from 'chai';
import type { Frame } from 'playwright-core';
import type { ConnectionRow } from '../../core/connections/connection-row.ts';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import type { CustomerPage } from '../support/browser-customer/customer.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, expectHeading } from '../support/browser-window.ts';
import { canary } from '../support/canaries.ts';
import { createReconnectSession, readConnection } from '../support/connect.ts';
import { storedWebhooks } from '../support/stored-webhooks.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const MINUTE = 60_000;
const DESK = { allowed_integrations: ['desk'] };
const WATCH_TITLES = `
  globalThis.titles = [];
  new MutationObserver(() => titles.push(document.title)).observe(document.head, { childList: true, subtree: true, characterData: true })`;

describe('the window and its session', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  const subdomainOf = (frame: Frame) => frame.getByLabel('Subdomain', { exact: true });
  const keyOf = (frame: Frame) => frame.getByLabel('API key', { exact: true });

  async function open(customer: CustomerPage, options: object): Promise<Frame> {
    await customer.openWindow(options);
    return customer.frame();
  }

  async function newest() {
    const [{ connection_id: connectionId } = { connection_id: '' }] = await connectionsOf(setup.app);
    return { connectionId, key: 'desk' };
  }

  it('uses what is preset, and shows it to nobody (check 9)', async () => {
    const subdomain = `preset-${crypto.randomUUID()}`;
    const presets = { desk: { connection_config: { subdomain } } };
    const sessionToken = await setup.session({ ...DESK, integrations_config_defaults: presets });
    await setup.visit(chromium, async (customer) => {
      const bodies: Promise<readonly string[]>[] = [];
      customer.page.context().on('response', (response) => {
        const read = response.text().catch(() => '');
        bodies.push(read.then((body) => [response.url(), JSON.stringify(response.headers()), body]));
      });
      const frame = await open(customer, { sessionToken });
      await keyOf(frame).fill(setup.provider.settings.apiKey);
      expect(await subdomainOf(frame).count()).to.equal(0);
      const pictures = [await frame.content(), await customer.page.content()];
      await button(frame, 'Connect').click();
      await expectHeading(frame, 'Desk is connected');
      pictures.push(await frame.content());
      const told = (await Promise.all(bodies)).flat();
      expect(told.filter((text) => text.includes('"unique_key":"desk"'))).to.not.have.length(0);
      expect([...told, ...pictures].filter((text) => text.includes(subdomain))).to.deep.equal([]);
    });
    expect((await readConnection(setup.app, await newest())).body.connection_config).to.include({ subdomain });
  });

  it('says that it is over when it has expired before the window opens (check 11)', async () => {
    const sessionToken = await setup.session(DESK);
    await setup.app.clock.advance(31 * MINUTE);
    await setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 401/);
      const frame = await open(customer, { sessionToken });
      await expectHeading(frame, 'This window has expired');
      await frame.getByText('For your security it only works for a limited time.').waitFor();
      await button(frame, 'Close').last().waitFor();
    });
  });

  it('continues with a new token when it expires while the form is open (check 11)', async () => {
    const first = await setup.session(DESK);
    await setup.app.clock.advance(20 * MINUTE);
    const second = await setup.session(DESK);
    await setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 401/);
      const frame = await open(customer, { tokens: [first, second] });
      await subdomainOf(frame).fill('acme');
      await keyOf(frame).fill(setup.provider.settings.apiKey);
      await frame.evaluate(WATCH_TITLES);
      await setup.app.clock.advance(11 * MINUTE);
      await button(frame, 'Connect').click();
      await expectHeading(frame, 'Desk is connected');
      await until('the tab says so', () => frame.evaluate<boolean>('titles.length > 0'));
      // No other screen was shown in between, so the user did not notice that the session was replaced.
      expect(await frame.evaluate('titles')).to.deep.equal(['Desk is connected']);
      expect(await customer.read('customer.tokenRequests')).to.equal(2);
      expect(await customer.types()).to.not.include('error');
    });
    expect((await readConnection(setup.app, await newest())).body.connection_config).to.include({ subdomain: 'acme' });
  });

  it('accepts a token that comes after the wait for it has ended, and keeps the chosen integration (check 11)', async () => {
    const session = { allowed_integrations: ['desk', 'notes'] };
    const first = await setup.session(session);
    await setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 401/);
      await customer.page.clock.install();
      const frame = await open(customer, { tokens: [first, false] });
      await button(frame, 'Desk').click();
      await subdomainOf(frame).fill('acme');
      await keyOf(frame).fill(setup.provider.settings.apiKey);
      await setup.app.clock.advance(31 * MINUTE);
      await button(frame, 'Connect').click();
      await until('it asks for a token', async () => (await customer.read('customer.tokenRequests')) === 2);
      await customer.page.clock.fastForward(MINUTE);
      await expectHeading(frame, 'This window has expired');
      await customer.read(`void customer.handle.setSessionToken(${JSON.stringify(await setup.session(session))})`);
      await expectHeading(frame, 'Connect Desk');
      expect(await subdomainOf(frame).inputValue()).to.equal('acme');
      await button(frame, 'Connect').click();
      await expectHeading(frame, 'Desk is connected');
    });
  });

  it('reconnects, and changes only the credentials (check 12)', async () => {
    const { settings } = setup.provider;
    const tags = { end_user_id: 'u-1' };
    const connect = async (sessionToken: string, name: string, heading: string) => {
      await setup.visit(chromium, async (customer) => {
        const frame = await open(customer, { sessionToken });
        await keyOf(frame).fill(settings.apiKey);
        if (name === 'Connect') await subdomainOf(frame).fill('acme');
        else {
          await expectHeading(frame, 'Reconnect Desk');
          expect(await subdomainOf(frame).count()).to.equal(0);
        }
        await button(frame, name).click();
        await expectHeading(frame, heading);
      });
    };
    await connect(await setup.session({ ...DESK, tags }), 'Connect', 'Desk is connected');
    const connected = await newest();
    const row = setup.app.database.db<ConnectionRow>('connections').where({ connection_id: connected.connectionId });
    await row.update({ metadata: { plan: 1 } });
    const before = (await readConnection(setup.app, connected)).body;
    const count = (await connectionsOf(setup.app)).length;

    settings.apiKey = canary('next key of the API');
    await connect(await createReconnectSession(setup.app, connected), 'Reconnect', 'Desk is connected again');

    const after = (await readConnection(setup.app, connected)).body;
    expect(await connectionsOf(setup.app)).to.have.length(count);
    const kept = ({ id, connection_id, connection_config, metadata, tags: ofUser }: typeof after) => {
      return { id, connection_id, connection_config, metadata, tags: ofUser };
    };
    expect(kept(after)).to.deep.equal(kept(before));
    expect(kept(after)).to.deep.include({ metadata: { plan: 1 }, tags });
    expect(after.credentials.apiKey).to.equal(settings.apiKey).and.not.equal(before.credentials.apiKey);
    const webhook = (await storedWebhooks(setup.app.services)).at(-1)?.body;
    expect(webhook).to.deep.include({ type: 'auth', operation: 'override', success: true });
    expect(webhook).to.include({ connectionId: connected.connectionId });
  });
});
