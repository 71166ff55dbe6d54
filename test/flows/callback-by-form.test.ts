import { expect } from 'chai';
import { connectionsMade, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { createIntegration } from '../support/connect.ts';
import { startIntegratedApp } from '../support/integrated-app.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

const FORM = 'application/x-www-form-urlencoded';
/**
 * The user as Apple sends it at a first authorization ("Sign in with Apple REST API", "Request an authorization to the Sign in
 * with Apple server").
 */
const APPLE_USER = '{"name":{"firstName":"Jéan","lastName":"O’Neil & Söhne"},"email":"jean@example.com"}';

describe('a callback by form (OAuth 2.0 Form Post Response Mode)', function () {
  const app = use(this, startIntegratedApp);

  function post(url: string, body: string, type = FORM) {
    return new WebWalker().visit(url, { method: 'POST', body, headers: { 'content-type': type } });
  }

  it('redirects to the callback by GET with every field, so that the browser sends the cookie of the flow', async () => {
    const { walker, callback } = await returnFromProvider(app);
    const fields = new URLSearchParams([...callback.searchParams, ['user', APPLE_USER], ['id_token', 'a.b-c_d.e~f']]);
    const made = await connectionsMade(app, async () => {
      // The request has no cookies, because a browser sends no `Lax` cookies with the POST of another site.
      const answer = await post(`${callback.origin}${callback.pathname}`, fields.toString());
      expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('referrer-policy')]).to.deep.equal([
        303,
        'no-store',
        'no-referrer',
      ]);
      const location = new URL(answer.headers.get('location') ?? '', callback);
      expect(location.pathname).to.equal('/oauth/callback');
      expect([...location.searchParams]).to.deep.equal([...fields]);
      expect((await walker.visit(location.href)).status).to.equal(200);
    });
    expect(made).to.equal(1);
  });

  it('is accepted at the callback of an integration, too, and redirects to that callback', async () => {
    await createIntegration(app, app.provider, { key: 'own', config: { own_callback: 'true' } });
    const { walker, callback } = await returnFromProvider(app, { key: 'own' });
    const answer = await post(`${callback.origin}${callback.pathname}`, callback.search.slice(1));
    const location = new URL(answer.headers.get('location') ?? '', callback);
    expect(location.pathname).to.equal('/oauth/callback/own');
    expect((await walker.visit(location.href)).status).to.equal(200);
  });

  it('does not use up the state by itself', async () => {
    const { walker, callback } = await returnFromProvider(app);
    const made = await connectionsMade(app, async () => {
      for (let visit = 0; visit < 3; visit += 1)
        expect((await post(`${app.url}/oauth/callback`, callback.search.slice(1))).status).to.equal(303);
    });
    expect(made).to.equal(0);
    expect((await walker.visit(callback.href)).status).to.equal(200);
  });

  const REFUSED: Readonly<Record<string, readonly [status: number, body: string, type?: string]>> = {
    'is JSON': [415, '{"code":"a","state":"b"}', 'application/json'],
    'says nothing of its type': [415, 'code=a&state=b', 'text/plain'],
    'is a form of parts': [415, '--x--', 'multipart/form-data; boundary=x'],
    'has a field with a long name': [400, `${'n'.repeat(65)}=1`],
    'has more than 8 KiB': [413, `code=${'a'.repeat(8 * 1024)}`],
  };
  for (const [what, [status, body, type]] of Object.entries(REFUSED)) {
    it(`that ${what} is refused with a page that repeats nothing of it`, async () => {
      const page = await post(`${app.url}/oauth/callback`, body, type);
      expect([page.status, page.headers.get('location')]).to.deep.equal([status, null]);
      expect(wordsOf(page)).to.match(
        /^Not connected The other service sent a response that can’t be read\. Go back and try again\./,
      );
    });
  }

  it('accepts fields of 8 KiB in total', async () => {
    const page = await post(`${app.url}/oauth/callback`, `code=${'a'.repeat(8 * 1024 - 5)}`);
    expect(page.status).to.equal(303);
    expect(
      (await new WebWalker().visit(new URL(page.headers.get('location') ?? '', `${app.url}/oauth/callback`).href)).status,
    ).to.equal(400);
  });
});
