import { expect } from 'chai';
import { finish, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { createSession } from '../support/connect.ts';
import { startIntegratedTenant } from '../support/integrated-app.ts';
import { INVALID_GRANT } from '../support/token-responses.ts';
import { use } from '../support/use.ts';
import type { Page } from '../support/web-walker.ts';

const NAME = 'Acme Notes';
const FOR_ADA = / This was for Ada \(ada@acme\.example\)/;
const ADA = { end_user_display_name: 'Ada', end_user_email: 'ada@acme.example' };

describe('a page of an authorization', function () {
  const app = use(this, startIntegratedTenant);

  before(async () => {
    expect((await app.api.patch('/integrations/fake', { display_name: NAME })).status).to.equal(200);
  });
  const back = async () => returnFromProvider(app, { token: await createSession(app, { tags: ADA }) });

  const PAGES: Readonly<Record<string, () => Promise<Page>>> = {
    'after a success': async () => finish(await back()),
    'after the user declined': async () => finish(await back(), { error: 'access_denied', code: undefined }),
    'after the provider refused the code': async () => {
      const returning = await back();
      app.provider.next('token', INVALID_GRANT);
      return finish(returning);
    },
  };

  for (const [when, visit] of Object.entries(PAGES)) {
    it(`names the integration: ${when}`, async () => {
      expect(wordsOf(await visit())).to.include(NAME);
    });

    it(`names the end user: ${when}`, async () => {
      expect(wordsOf(await visit())).to.match(FOR_ADA);
    });
  }

  const LANGUAGE = { accept: 'text/html', 'accept-language': 'de-CH, en;q=0.5' };
  const PLACES: Readonly<Record<string, string>> = {
    '/oauth/callback': 'Dieser Versuch ist beendet',
    '/oauth/connect/elsewhere?connect_session_token=none': 'Nicht verbunden',
    '/connect/launch': 'Wird geöffnet …',
    '/connect/nowhere': 'Unter dieser Adresse gibt es nichts.',
  };
  for (const [path, words] of Object.entries(PLACES))
    it(`is in a language that the browser accepts, English by default: ${path}`, async () => {
      const german = await fetch(app.url + path, { headers: LANGUAGE });
      expect(german.headers.get('vary')).to.match(/accept-language/i);
      expect(await german.text())
        .to.include('<html lang="de">')
        .and.include(words);
      const english = await fetch(app.url + path, { headers: { accept: 'text/html' } });
      expect(await english.text())
        .to.include('<html lang="en">')
        .and.not.match(/\{\w+\}"|>\{/);
    });

  it('names the end user: where the redirect is refused', async () => {
    const token = await createSession(app, { tags: ADA });
    const address = `${app.url}/oauth/connect/elsewhere?connect_session_token=${token}`;
    const page = await fetch(address, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect(page.status).to.equal(404);
    expect(wordsOf({ text: await page.text() })).to.match(/^Not connected .*finish setting it up\. This was for Ada/);
  });
});
