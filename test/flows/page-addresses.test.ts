import { expect } from 'chai';
import { connectionsOf, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { withChromium } from '../support/browser.ts';
import { connectUrl, createSession } from '../support/connect.ts';
import { expectErrorPage } from '../support/error-page.ts';
import { startIntegratedTenant } from '../support/integrated-app.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

describe('addresses of pages, as mail programs and campaigns change them', function () {
  const app = use(this, startIntegratedTenant);

  const PAGES = ['/connect', '/connect/l', '/docs', '/docs/webhooks', '/docs/reference', '/docs/reference/connections'];
  const ADDED = ['?utm_source=mail', '/', '/?utm_source=mail&x[y][z][w]=1', '?', '?%zz', '?a=1&a=2&=3'];
  for (const path of PAGES) {
    for (const added of ADDED) {
      it(`${path}${added} shows the page`, async () => {
        const page = await new WebWalker().follow(`${app.url}${path}${added}`);
        if ('stoppedAt' in page) throw new Error('the walk stopped on its way');
        expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
        expect(new URL(page.url).pathname).to.equal(path);
      });
    }
  }

  it('a connect link keeps its token, and its page works, in Chromium', async function () {
    await withChromium(this, async (browser) => {
      for (const [slash, query] of [
        ['', '?utm_source=mail'],
        ['/', ''],
        ['/', '?utm_source=mail'],
      ]) {
        const page = await browser.newPage();
        await page.goto(`${app.url}/connect/l${slash}${query}#${await createSession(app)}`);
        await page.getByRole('button', { name: /^Continue to / }).waitFor();
        expect(page.url()).to.equal(`${app.url}/connect/l${query}`);
      }
    });
  });

  it('a flow begins and ends despite foreign parameters and trailing slashes', async () => {
    for (const slash of ['', '/']) {
      const before = (await connectionsOf(app)).length;
      const walker = new WebWalker();
      const url = new URL(connectUrl(app, { token: await createSession(app) }));
      url.pathname += slash;
      url.searchParams.set('utm_source', 'mail');
      const back = await walker.follow(url.href, (next) => next.startsWith(`${app.url}/oauth/callback`));
      if (!('stoppedAt' in back)) throw new Error(`the flow did not begin: ${back.status} ${back.text}`);
      const callback = new URL(back.stoppedAt);
      callback.pathname += slash;
      callback.searchParams.set('utm_source', 'mail');
      const page = await walker.follow(callback.href);
      if ('stoppedAt' in page) throw new Error('the walk stopped on its way');
      expect(wordsOf(page)).to.match(/^Connected /);
      expect(await connectionsOf(app)).to.have.length(before + 1);
    }
  });

  it('a trailing slash redirects to no other site', async () => {
    const { callback } = await returnFromProvider(app);
    for (const path of ['/oauth/callback/', '/oauth/connect/https:%2F%2Fevil.example/', '/oauth/connect/evil.example:443/']) {
      const response = await fetch(`${app.url}${path}${callback.search}`, { redirect: 'manual' });
      const location = response.headers.get('location') ?? expect.fail(`${path} is not redirected`);
      expect(new URL(location, `${app.url}${path}`).origin).to.equal(app.url);
      expect(response.headers.get('referrer-policy')).to.equal('no-referrer');
    }
  });

  for (const path of ['/connect/x', '/connect/l/x', '/oauth/', '/oauth/callback/a/b', '/oauth/connect/fake/x']) {
    it(`${path} is not found, which people read in HTML and programs in JSON`, async () => {
      const page = await new WebWalker().visit(`${app.url}${path}`);
      expect([page.status, page.headers.get('content-type')]).to.deep.equal([404, 'text/html; charset=utf-8']);
      expect(wordsOf(page)).to.match(/^Not connected There is nothing at this address\./);
      expect((await app.client().get(path)).body.error.code).to.equal('not_found');
    });
  }

  it('a method that is not allowed and an address that is too long are reported in the same way', async () => {
    for (const [method, path, status, code, words] of [
      ['POST', '/connect/l', 405, 'method_not_allowed', /^Not connected There is nothing at this address\./],
      ['GET', '/connect/sessions', 405, 'method_not_allowed', /^Not connected There is nothing at this address\./],
      ['GET', `/connect/l?${'x'.repeat(17_000)}`, 414, 'uri_too_long', /^Not connected This address is too long\./],
    ] as const) {
      const page = await fetch(`${app.url}${path}`, { method, headers: { accept: 'text/html,*/*;q=0.8' } });
      const text = await page.text();
      expectErrorPage({ headers: Object.fromEntries(page.headers), text }, status);
      expect([page.status, wordsOf({ text })]).to.satisfy(
        ([reported, said]: [number, string]) => reported === status && words.test(said),
      );
      const response = await app.client().call(method, path);
      expect([response.status, response.body.error.code]).to.deep.equal([status, code]);
      expect(response.headers.get('allow')).to.equal(page.headers.get('allow'));
    }
  });

  it('the API refuses foreign parameters and trailing slashes', async () => {
    for (const path of ['/health?utm_source=mail', '/openapi.json?x=1'])
      expect((await app.client().get(path)).body.error.code).to.equal('invalid_query_params');
    expect((await app.client().get('/health/')).status).to.equal(404);
  });
});
