import { expect } from 'chai';
import type { Frame } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import type { CustomerPage } from '../support/browser-customer/customer.ts';
import { startHostileSite } from '../support/browser-hostile.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { continueTo, decide, expectHeading } from '../support/browser-window.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** Messages that the window accepts from the page that embeds it, and some that look like them. */
const TO_THE_WINDOW = (token: string): readonly unknown[] => [
  { svc: 1, type: 'session_token', token },
  { svc: 1, type: 'no_token' },
  { svc: 1, type: 'close_request' },
  { svc: 1, type: 'theme', theme: 'dark' },
];
/** Messages that the SDK accepts from its window. */
const TO_THE_SDK: readonly unknown[] = [
  { svc: 1, type: 'ready' },
  { svc: 1, type: 'session_expired' },
  { svc: 1, type: 'connect', payload: { integration: 'notes', connection_id: 'forged' } },
  { svc: 1, type: 'error', payload: { code: 'server_error', message: 'forged' } },
  { svc: 1, type: 'select', payload: { integration: 'forged' } },
  { svc: 1, type: 'close', payload: { reason: 'finished' } },
];
/** Malformed messages, which the window ignores even from the page that embeds it. */
const OF_NO_SHAPE: readonly unknown[] = [
  null,
  'session_token',
  1,
  [],
  { type: 'close_request' },
  { svc: 2, type: 'close_request' },
  { svc: '1', type: 'close_request' },
  { svc: 1 },
  { svc: 1, type: 'session_token' },
  { svc: 1, type: 'session_token', token: { toString: 'x' } },
  { svc: 1, type: 'theme', theme: ['dark'] },
  { svc: 1, type: 'toString' },
];

describe('messages of other windows to the connect window and to the SDK (OAU-07)', function () {
  const chromium = useChromium(this);
  const hostile = use(this, startHostileSite);
  const setup = use(this, startConnectInstallation);

  /** Waits until messages sent earlier have been handled: messages arrive in order, so they precede the one sent here. */
  const settle = (document: { evaluate(script: string): Promise<unknown> }) =>
    document.evaluate(`new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => setTimeout(resolve, 50);
      port2.postMessage(0);
    })`);

  const opened = async (customer: CustomerPage, heading = 'Connect Notes'): Promise<Frame> => {
    await customer.openWindow({ sessionToken: await setup.session({ allowed_integrations: ['notes'] }) });
    const frame = await customer.frame();
    await expectHeading(frame, heading);
    await until('it is loaded', async () => (await customer.types()).includes('loaded'));
    return frame;
  };
  const visit = (body: (customer: CustomerPage) => Promise<void>) =>
    setup.visit(chromium, async (customer, guard) => {
      guard.expect(new RegExp(hostile.origin));
      await body(customer);
    });
  const unchanged = async (customer: CustomerPage, frame: Frame) => {
    await settle(frame);
    await settle(customer.page);
    expect(await customer.types()).to.deep.equal(['ready', 'loaded']);
    await expectHeading(frame, 'Connect Notes');
    expect(await frame.evaluate('document.documentElement.dataset.scheme ?? null')).to.equal(null);
  };

  it('are ignored from a frame beside the window', async () => {
    await visit(async (customer) => {
      const frame = await opened(customer);
      // The sibling frame has the window's origin but is not the window, so its messages are ignored as well.
      const address = `${setup.app.url}/connect#origin=${encodeURIComponent(setup.customer.origin)}`;
      await customer.page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { name: 'sibling',
        src: ${JSON.stringify(address)} }))`);
      await until('the sibling is there', () => customer.page.frame('sibling')?.url().includes('/connect') === true);
      const sibling = customer.page.frame('sibling') as Frame;
      for (const message of TO_THE_SDK) await sibling.evaluate(`parent.postMessage(${JSON.stringify(message)}, '*')`);
      // The window is in a shadow root, so other frames do not find it among the frames of the page.
      expect(await sibling.evaluate('parent.length')).to.equal(1);
      await unchanged(customer, frame);
    });
  });

  it('are ignored from a window that has opened the page, and from one that it has opened', async () => {
    const other = await setup.session({ allowed_integrations: ['desk'] });
    await visit(async (customer) => {
      const context = customer.page.context();
      const { page } = await hostile.visit(context);
      const next = context.waitForEvent('page');
      const address = customer.page.url();
      await page.evaluate(`void (globalThis.victim = open(${JSON.stringify(address)}))`);
      const victim = customer.in(await next);
      await victim.page.waitForLoadState();
      const frame = await opened(victim);
      for (const message of TO_THE_SDK) await page.evaluate(`victim.postMessage(${JSON.stringify(message)}, '*')`);
      for (const message of TO_THE_WINDOW(other)) {
        await page.evaluate(`victim.postMessage(${JSON.stringify(message)}, '*')`);
      }
      await unchanged(victim, frame);
      expect(await page.evaluate('heard')).to.deep.equal([]);
    });
  });

  it('are ignored if they are malformed, even from the right page and the right window', async () => {
    await visit(async (customer) => {
      const frame = await opened(customer);
      for (const message of OF_NO_SHAPE) {
        const text = JSON.stringify(message);
        await customer.page.evaluate(
          `document.querySelector('svc-connect').shadowRoot.querySelector('iframe').contentWindow.postMessage(${text}, '*')`,
        );
        await frame.evaluate(`parent.postMessage(${text}, '*')`);
      }
      await unchanged(customer, frame);
    });
  });

  it('cannot replace a session token that is in use', async () => {
    const other = await setup.session({ allowed_integrations: ['desk'] });
    await visit(async (customer) => {
      const frame = await opened(customer);
      // The window posts to itself, so the message has the right origin but the wrong source.
      await frame.evaluate(`postMessage(${JSON.stringify({ svc: 1, type: 'session_token', token: other })}, '*')`);
      await unchanged(customer, frame);
    });
  });

  it('reveal nothing to a page that frames the window under the name of another', async () => {
    const other = await setup.session({ allowed_integrations: ['desk'] });
    await visit(async (customer) => {
      const forged = `${setup.app.url}/connect#origin=${encodeURIComponent(setup.customer.origin)}`;
      const page = await hostile.visit(customer.page.context(), forged);
      const frame = await page.frame();
      await frame.getByRole('status').first().waitFor();
      for (const message of TO_THE_WINDOW(other)) await page.post(message);
      await settle(frame);
      expect(await page.heard()).to.deep.equal([]);
      expect(await frame.evaluate('document.querySelector("h1")')).to.equal(null);
      for (const origin of ['*', 'null', `${hostile.origin}/`, 'javascript:0', '']) {
        const broken = await hostile.visit(
          customer.page.context(),
          `${setup.app.url}/connect#origin=${encodeURIComponent(origin)}`,
        );
        const inside = await broken.frame();
        await inside.getByRole('heading').first().waitFor();
        await broken.post({ svc: 1, type: 'session_token', token: other });
        await settle(inside);
        expect(await broken.heard(), origin).to.deep.equal([]);
      }
    });
  });

  it('of the window itself hold no secret and no ID, and go only to the page that opened it', async () => {
    await visit(async (customer) => {
      await customer.page.evaluate(
        `globalThis.heard = []; addEventListener('message', ({ origin, data }) => heard.push({ origin, data }))`,
      );
      const frame = await opened(customer);
      const popup = await continueTo(customer, frame, 'Notes');
      await decide(popup, 'Allow');
      await expectHeading(frame, 'Notes is connected');
      await until('the page was told', () => customer.read<boolean>('heard.length >= 3'));
      const heard = await customer.read<{ origin: string; data: { type: string } }[]>('heard');
      expect(heard.map(({ data }) => data.type)).to.deep.equal(['ready', 'loaded', 'connect']);
      const { origin } = new URL(setup.app.url);
      expect(new Set(heard.map((message) => message.origin))).to.deep.equal(new Set([origin]));
      expect(heard.at(-1)?.data).to.deep.equal({ svc: 1, type: 'connect', payload: { integration: 'notes' } });
    });
  });
});
