import { expect } from 'chai';
import { publicRoutes } from '../../core/api/routes.ts';
import { connectionsOf, finish, returnFromProvider } from '../support/authorization.ts';
import { createSession } from '../support/connect.ts';
import { startIntegratedTenant } from '../support/integrated-app.ts';
import { use } from '../support/use.ts';
import type { Page } from '../support/web-walker.ts';

/** Patterns for code by which windows of different origins can communicate or leave data for each other. */
const CHANNELS: Readonly<Record<string, RegExp>> = {
  'sending messages': /postMessage|BroadcastChannel|MessageChannel|SharedWorker|serviceWorker/,
  'taking messages': /['"]message['"]|onmessage|onstorage|['"]storage['"]/,
  'the window that opened it': /\bopener\b/,
  'the window around it': /\b(?:window|self|globalThis)\s*\.\s*(?:parent|top|frames|frameElement)\b/,
  // `sessionStorage` is not listed, because only one window and one origin can read it.
  'what stays for others': /\bwindow\s*\.\s*name\b|localStorage|document\s*\.\s*cookie|document\s*\.\s*domain/,
};

/**
 * The script for windows of frontends written for another product's API. It may send messages, which `browser/existing-clients`
 * tests.
 */
const OF_CLIENTS = '/connect/client.js';
const UI_PATHS = publicRoutes
  .map(({ path }) => path)
  .filter((path) => path === '/connect/l' || (/^\/connect\/[\w-]+\.js$/.test(path) && path !== OF_CLIENTS));

describe('pages of the service and windows of other sites (OAU-07)', function () {
  const app = use(this, startIntegratedTenant);

  it('are tested with the link’s page and every script outside the window', () => {
    expect(UI_PATHS).to.include.members(['/connect/l', '/connect/launch.js', '/connect/result.js']);
  });

  for (const path of UI_PATHS) {
    it(`do not communicate: ${path}`, async () => {
      const response = await fetch(app.url + path, { headers: { accept: '*/*' } });
      const text = await response.text();
      expect(response.status, text).to.be.oneOf([200, 401]);
      const used = text.replace('window.opener = null;', '');
      for (const [what, channel] of Object.entries(CHANNELS)) expect(used, what).to.not.match(channel);
    });
  }

  it('are disconnected before the provider’s page replaces the service’s', async () => {
    const text = await (await fetch(`${app.url}/connect/launch.js`)).text();
    expect(text).to.match(/window\.opener = null;\s+return location\.replace\(next\.location\);/);
  });

  it('would be found by these patterns if they communicated', () => {
    const bad = [
      "opener.postMessage(1, '*')",
      "addEventListener('message', f)",
      'window.opener',
      'window.parent',
      'localStorage.a',
    ];
    for (const [index, channel] of Object.values(CHANNELS).entries()) expect(bad[index]).to.match(channel);
  });

  it('are kept apart by a ban on framing the connect link', async () => {
    const { headers } = await fetch(`${app.url}/connect/l`, { headers: { accept: 'text/html' } });
    expect(headers.get('content-security-policy')).to.include("frame-ancestors 'none'");
  });

  const ENDS: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
    'a success': {},
    'a refusal': { error: 'access_denied', code: undefined },
    'a forged callback': { state: 'somebody-elses' },
  };

  for (const [end, changes] of Object.entries(ENDS)) {
    it(`learn nothing from the page after ${end}, which runs no script and is in no frame`, async () => {
      const token = await createSession(app);
      const returning = await returnFromProvider(app, { token });
      const page: Page = await finish(returning, changes);
      expect(page.headers.get('content-security-policy')).to.match(/^default-src 'none';.*frame-ancestors 'none'$/);
      expect(page.headers.get('location')).to.equal(null);
      expect(page.text).to.not.match(/<script|<iframe|<form|http-equiv/i);
      const { searchParams } = returning.callback;
      const ids = (await connectionsOf(app)).map(({ connection_id }) => String(connection_id));
      const kept = [token, searchParams.get('state') ?? '', searchParams.get('code') ?? '', ...ids];
      for (const secret of kept.filter((text) => text !== '')) expect(page.text).to.not.include(secret);
    });
  }
});
