import { expect } from 'chai';
import { connectionsOf, finish, returnFromProvider } from '../support/authorization.ts';
import { connectUrl, createSession } from '../support/connect.ts';
import { startIntegratedTenant } from '../support/integrated-app.ts';
import { use } from '../support/use.ts';

const MARK = 'evil-mark';
const NAMES = [
  'return_to',
  'return_url',
  'redirect',
  'redirect_uri',
  'redirect_url',
  'next',
  'url',
  'continue',
  'state',
  'error',
  'iss',
];
const VALUES = [
  `https://${MARK}.example/`,
  `//${MARK}.example/`,
  `/\\${MARK}.example`,
  `javascript:alert('${MARK}')`,
  `data:text/html,<script>${MARK}</script>`,
  `"><script>${MARK}</script>`,
  `https://127.0.0.1@${MARK}.example/`,
  `%0d%0alocation: https://${MARK}.example/`,
];

describe('what a stranger writes into an address (OAU-06)', function () {
  const app = use(this, startIntegratedTenant);

  const ROUTES: Readonly<Record<string, () => Promise<string>>> = {
    'the connect link': async () => `${app.url}/connect/l`,
    'the connect address': async () => connectUrl(app, { token: await createSession(app) }),
    'the connect address without a session': async () => `${app.url}/oauth/connect/fake`,
    'the callback': async () => `${app.url}/oauth/callback`,
    'the interface’s page': async () => `${app.url}/docs`,
    'an address that is not there': async () => `${app.url}/login`,
  };

  for (const [where, address] of Object.entries(ROUTES)) {
    it(`never redirects from ${where}, nor is it repeated there`, async () => {
      const url = await address();
      for (const name of NAMES) {
        for (const value of VALUES) {
          const query = `${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
          await expectInert(`${url}${query}`);
        }
      }
    });
  }

  it('is never repeated from the names of parameters, fields or integrations', async () => {
    const token = await createSession(app);
    await expectInert(`${connectUrl(app, { token })}&params[${MARK}]=1`);
    await expectInert(`${connectUrl(app, { token })}&${MARK}=1`);
    await expectInert(connectUrl(app, { token, key: MARK }));
    await expectInert(`${app.url}/oauth/callback?${MARK}=1`);
  });

  it('has no effect as a Referer', async () => {
    for (const value of VALUES.slice(0, 2)) {
      for (const address of Object.values(ROUTES)) {
        const headers = { accept: 'text/html', referer: value, origin: value };
        const response = await fetch(await address(), { headers, redirect: 'manual' });
        expect(response.headers.get('location') ?? '').not.to.include(MARK);
        expect(await response.text()).not.to.include(MARK);
      }
    }
  });

  it('does not disturb an honest flow when it is added to the callback', async () => {
    const back = await returnFromProvider(app);
    const before = (await connectionsOf(app)).length;
    const page = await finish(back, { return_to: VALUES[0], next: VALUES[3], error_description: VALUES[5] });
    expect([page.status, page.headers.get('location')]).to.deep.equal([200, null]);
    expect(page.text).not.to.include(MARK);
    expect(await connectionsOf(app)).to.have.length(before + 1);
  });

  it('leads to a page that allows no script and no framing, and sends no Referer', async () => {
    for (const address of [`${app.url}/oauth/callback?error=x`, `${app.url}/oauth/connect/fake?next=x`]) {
      const { headers, status } = await fetch(address, { headers: { accept: 'text/html' } });
      expect(status).to.be.oneOf([400, 401]);
      expect(headers.get('content-type')).to.match(/^text\/html/);
      expect(headers.get('content-security-policy')).to.match(
        /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
      );
      expect([headers.get('referrer-policy'), headers.get('cache-control')]).to.deep.equal(['no-referrer', 'no-store']);
    }
  });

  async function expectInert(url: string): Promise<void> {
    const response = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' });
    const text = await response.text();
    const location = response.headers.get('location');
    // If a flow begins nevertheless, it redirects to the integration's provider and contains nothing that the stranger sent.
    if (location !== null) expect(new URL(location, url).origin, url).to.equal(app.provider.url);
    expect(response.status, url).to.be.oneOf(location === null ? [200, 400, 401, 404] : [302]);
    expect(`${location} ${text}`, url).not.to.include(MARK);
  }
});
