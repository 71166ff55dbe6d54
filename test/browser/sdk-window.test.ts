import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { BrowserContext, Frame } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { type CustomerPage, startCustomer } from '../support/browser-customer/customer.ts';
import type { Guard } from '../support/browser-guard.ts';
import { receivedBy, say, startStubService } from '../support/browser-stub-service.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const SCROLL = '[document.documentElement.getAttribute("style"), getComputedStyle(document.documentElement).overflow]';
const DIALOG = 'document.querySelector("svc-connect")?.shadowRoot.querySelector("dialog")';

describe('the window that the frontend SDK opens', function () {
  const chromium = useChromium(this);
  const service = use(this, startStubService);
  const customer = use(this, startCustomer);

  beforeEach(() => {
    service.window = 'at once';
  });

  type Body = (customer: CustomerPage, guard: Guard, profile: BrowserContext) => Promise<void>;
  function onPage(body: Body, options: object = {}): Promise<void> {
    return chromium.profile({ origins: [service.url, customer.origin], ...options }, async (profile, guard) => {
      await body(await customer.open(profile, service.url), guard, profile);
    });
  }

  async function openedWindow(page: CustomerPage, options: object = {}): Promise<Frame> {
    await page.openWindow(options);
    const frame = await page.frame();
    await until('the window is ready', async () => (await page.types()).includes('ready'));
    return frame;
  }

  it('is painted by the SDK at once, without the network, and has the focus', async () => {
    service.window = 'never';
    await onPage(async (page) => {
      await page.openWindow();
      const status = page.page.getByRole('status');
      expect(await status.textContent()).to.equal('Loading…');
      expect(await page.read(`${DIALOG}.matches(":modal")`)).to.equal(true);
      expect(await page.read('document.activeElement.localName')).to.equal('svc-connect');
      expect(await page.types()).to.deep.equal([]);
      await page.page.keyboard.press('Escape');
      expect(await page.outcome()).to.deep.equal({ reason: 'user' });
    });
  });

  it('tells the window whose page it is in, the language, the theme and the integration', async () => {
    await onPage(async (page) => {
      const frame = await openedWindow(page, { lang: 'pt-BR', theme: 'dark', integrationId: 'a&b=c' });
      const given = { origin: customer.origin, lang: 'pt-BR', theme: 'dark', integration: 'a&b=c' };
      expect(await frame.evaluate('given')).to.deep.equal(given);
      expect(await page.read('getComputedStyle(document.querySelector("svc-connect")).colorScheme')).to.equal('dark');
    });
  });

  it('gets its token at the start, later, or from a function that may be called again', async () => {
    await onPage(async (page) => {
      const first = await openedWindow(page, { sessionToken: 't1' });
      await until('the token has come', async () => (await receivedBy(first)).length === 1);
      expect(await receivedBy(first)).to.deep.equal([{ svc: 1, type: 'session_token', token: 't1' }]);
      await say(first, { type: 'session_expired' });
      await until('there is no other token', async () => (await receivedBy(first)).at(-1)?.type === 'no_token');
      await page.read('void customer.handle.setSessionToken("t2")');
      await until('the next token has come', async () => (await receivedBy(first)).at(-1)?.token === 't2');
    });
    await onPage(async (page) => {
      const frame = await openedWindow(page, { tokens: ['t1', 't2', null] });
      await until('the first', async () => (await receivedBy(frame)).at(-1)?.token === 't1');
      await say(frame, { type: 'session_expired' });
      await until('the second', async () => (await receivedBy(frame)).at(-1)?.token === 't2');
      await say(frame, { type: 'session_expired' });
      await until('no third', async () => (await receivedBy(frame)).at(-1)?.type === 'no_token');
      const [, error] = await page.events();
      expect(error).to.deep.include({ type: 'error', payload: { code: 'session_missing', message: 'Error: no session' } });
      expect(await page.read('customer.tokenRequests')).to.equal(3);
    });
  });

  it('passes on events with a time and a session name that does not reveal the token', async () => {
    await onPage(async (page) => {
      const frame = await openedWindow(page, { sessionToken: 'secret' });
      await until('the token has come', async () => (await receivedBy(frame)).length === 1);
      await say(frame, { type: 'loaded' });
      await say(frame, { type: 'select', payload: { integration: 'crm' } });
      await say(frame, { type: 'error', payload: { code: 'provider_denied', message: 'no' } });
      await say(frame, { type: 'unheard_of', payload: { integration: 'crm' } });
      await say(frame, { type: 'connect', payload: { integration: 'crm', connection_id: 'c1' } });
      await say(frame, { type: 'close', payload: { reason: 'finished' } });
      expect(await page.outcome()).to.deep.equal({ reason: 'finished', integrationId: 'crm' });
      const events = await page.events();
      expect(events.map(({ type, payload }) => [type, payload])).to.deep.equal([
        ['ready', {}],
        ['loaded', {}],
        ['select', { integrationId: 'crm' }],
        ['error', { code: 'provider_denied', message: 'no' }],
        ['connect', { integrationId: 'crm', connectionId: 'c1' }],
        ['close', { reason: 'finished' }],
      ]);
      const ref = createHash('sha256').update('secret').digest('hex').slice(0, 8);
      for (const { at, sessionRef } of events.slice(1)) {
        expect(new Date(at).toISOString()).to.equal(at);
        expect(sessionRef).to.equal(ref);
      }
    });
  });

  it('restores the focus and scrolling of the page, and leaves no attribute or element behind', async () => {
    service.window = 'never';
    await onPage(async (page) => {
      await page.read('void (document.documentElement.style.overflow = "auto")');
      await page.read('void scrollTo(0, 150)');
      const before = await page.read(SCROLL);
      await page.openWindow();
      // The second window replaces the first. The overlay of the first keeps a mouse from the button, so the test calls its
      // handler.
      await page.read('customer.onClick()');
      expect((await page.read<string[]>(SCROLL))[1]).to.equal('hidden');
      expect(await page.page.locator('svc-connect').count()).to.equal(1);
      await page.page.keyboard.press('Escape');
      await until('both have closed', async () => (await page.types()).filter((type) => type === 'close').length === 2);
      expect(await page.page.locator('svc-connect').count()).to.equal(0);
      expect(await page.read(SCROLL)).to.deep.equal(before);
      expect(await page.read('document.activeElement.id')).to.equal('open');
    });
  });

  it('asks the window before it closes, and closes once, with a reason', async () => {
    await onPage(async (page) => {
      const frame = await openedWindow(page);
      await page.page.mouse.click(5, 5);
      await until('it was asked', async () => (await receivedBy(frame)).at(-1)?.type === 'close_request');
      for (const times of [2, 3, 4]) {
        await page.read(`${DIALOG}.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))`);
        await until('it was asked again', async () => (await receivedBy(frame)).length === times);
      }
      expect(await page.page.locator('svc-connect').count()).to.equal(1);
      await page.read('customer.handle.open()');
      expect(await page.page.locator('svc-connect').count()).to.equal(1);
      await page.read('[customer.handle.close(), customer.handle.close(), customer.handle.open()]');
      expect(await page.outcome()).to.deep.equal({ reason: 'api' });
      expect(await page.types()).to.deep.equal(['ready', 'close']);
    });
  });

  for (const reason of ['user', 'expired']) {
    it(`closes when the window asks for it: ${reason}`, async () => {
      await onPage(async (page) => {
        await say(await openedWindow(page), { type: 'close', payload: { reason } });
        expect(await page.outcome()).to.deep.equal({ reason });
      });
    });
  }

  it('replaces an open dialog, but no window that is part of the page', async () => {
    await onPage(async (page) => {
      const windows = page.page.locator('svc-connect');
      const openAnother = (inContainer: boolean) =>
        page.read(`customer.before = customer.handle, customer.armWindow({ inContainer: ${inContainer} }), customer.onClick()`);
      await page.page.locator('#open').focus();
      await openAnother(false);
      await openAnother(false);
      expect(await page.read('customer.before.promise')).to.deep.equal({ reason: 'api' });
      expect(await windows.count()).to.equal(1);
      await openAnother(true);
      expect(await windows.count()).to.equal(2);
      await openAnother(false);
      expect(await windows.count()).to.equal(2);
      await page.read('customer.handle.close()');
      expect(await page.page.locator('#container svc-connect').count()).to.equal(1);
      expect(await page.read('document.activeElement.id')).to.equal('open');
      expect(await page.read(SCROLL)).to.deep.equal([null, 'visible']);
    });
  });

  it('says after 15 seconds that it could not be loaded, and closes with that reason', async () => {
    service.window = 'without script';
    await onPage(async (page) => {
      await page.page.clock.install({ time: 0 });
      await page.page.clock.pauseAt(1_000);
      await page.openWindow();
      await page.page.clock.runFor(14_900);
      expect(await page.types()).to.deep.equal([]);
      await page.page.clock.runFor(200);
      expect(await page.page.getByRole('alert').textContent()).to.equal('This window could not be loaded.');
      const [error] = await page.events();
      expect(error?.payload['code']).to.equal('ui_load_failed');
      await page.page.keyboard.press('Enter');
      expect(await page.outcome()).to.deep.equal({ reason: 'failed_to_load' });
      expect(await page.types()).to.deep.equal(['error', 'close']);
    });
  });

  it('closes by itself 8 seconds after an account was connected, if the option is set', async () => {
    for (const autoClose of [true, false]) {
      await onPage(async (page) => {
        await page.page.clock.install({ time: 0 });
        await page.page.clock.pauseAt(1_000);
        await say(await openedWindow(page, { autoClose }), { type: 'connect', payload: { integration: 'crm' } });
        await until('it is connected', async () => (await page.types()).includes('connect'));
        await page.page.clock.runFor(7_900);
        expect(await page.types()).to.deep.equal(['ready', 'connect']);
        await page.page.clock.runFor(200);
        expect(await page.types()).to.deep.equal(['ready', 'connect', ...(autoClose ? ['close'] : [])]);
        await page.read('customer.handle.close()');
        expect(await page.outcome()).to.deep.equal({ reason: autoClose ? 'finished' : 'api', integrationId: 'crm' });
      });
    }
  });

  it('becomes part of the page in a container, without a dialog, a scroll lock or a change of focus', async () => {
    await onPage(async (page) => {
      const frame = await openedWindow(page, { inContainer: true });
      expect(await page.page.locator('dialog').count()).to.equal(0);
      expect(await page.page.locator('#container svc-connect iframe').count()).to.equal(1);
      expect((await page.read<string[]>(SCROLL))[1]).to.equal('visible');
      expect(await page.read('document.activeElement.id')).to.equal('open');
      await say(frame, { type: 'close', payload: { reason: 'user' } });
      await page.outcome();
      expect(await page.page.locator('svc-connect').count()).to.equal(0);
    });
  });

  it('keeps working, and closes, when the page’s event handler throws', async () => {
    await onPage(async (page, guard) => {
      guard.expect(/uncaught: Error: of the page/);
      await page.read('void (customer.events.push = () => { throw new Error("of the page") })');
      await page.openWindow({ sessionToken: 't1' });
      const frame = await page.frame();
      await until('the token has come', async () => (await receivedBy(frame)).at(-1)?.token === 't1');
      await page.read('customer.handle.close()');
      expect(await page.outcome()).to.deep.equal({ reason: 'api' });
    });
  });

  it('fills the screen of a phone, and is a card on a desk', async () => {
    for (const [viewport, card] of [
      [
        { width: 390, height: 800 },
        { x: 0, y: 0, width: 390, height: 800 },
      ],
      [
        { width: 1280, height: 900 },
        { x: 400, y: 90, width: 480, height: 720 },
      ],
    ] as const) {
      await onPage(
        async (page) => {
          await openedWindow(page);
          expect(await page.page.locator('dialog').boundingBox()).to.deep.equal(card);
        },
        { viewport },
      );
    }
  });

  it('refuses a host that is not a URL', async () => {
    await onPage(async (page) => {
      const tried = 'try { new Svc({ host: "svc.example.com" }) } catch ({ name, message }) { `${name}: ${message}` }';
      expect(await page.read(tried)).to.equal('TypeError: host must be the URL of the service: svc.example.com');
    });
  });
});
