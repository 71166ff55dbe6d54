import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { startApp } from '../../support/app.ts';
import { signedInAs } from '../../support/dashboard/members.ts';
import { use } from '../../support/use.ts';

describe('the pages of the dashboard', function () {
  const app = use(this, () => startApp());

  for (const path of [
    '/login',
    '/e',
    '/e/dev/logs',
    `/e/dev/connections/jira/${'a'.repeat(255)}/overview`,
    '/account/sessions?x=1',
  ])
    it(`are served at ${path.slice(0, 40)}, and may neither be framed nor cached`, async () => {
      const response = await fetch(app.url + path);
      expect([response.status, response.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(Object.fromEntries(response.headers)).to.include({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; " +
          "form-action 'self'; base-uri 'self'; frame-ancestors 'none'",
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(await response.text()).to.not.match(/<style|\son\w+=|\sstyle=|<script(?![^>]* src=)(?! type="application\/json")/i);
    });

  it('are served at every address of their own router', async () => {
    const routes = readFileSync(new URL('../../../ui/dashboard/app/routes.ts', import.meta.url), 'utf8');
    const paths = Array.from(routes.matchAll(/path: '([^']+)'/g), ([, path = '']) => path);
    expect(paths).to.include.members(['login', 'login/factor', 'login/enrol', 'account/security']);
    for (const path of paths) expect((await fetch(`${app.url}/${path.replaceAll(':', '')}`)).status, path).to.equal(200);
  });

  it('are reached from addresses with a trailing slash, and from the root', async () => {
    const slash = await fetch(`${app.url}/e/dev/logs/?type=auth`, { redirect: 'manual' });
    expect([slash.status, slash.headers.get('location')]).to.deep.equal([308, '../logs?type=auth']);
    const root = await fetch(`${app.url}/`, { redirect: 'manual' });
    expect(root.headers.get('location')).to.equal(`${app.url}/e`);
  });

  it('include the setup until there is an admin', async () => {
    expect((await fetch(`${app.url}/setup`)).status).to.equal(200);
    await signedInAs(app, 'admin');
    expect((await fetch(`${app.url}/setup`)).status).to.equal(404);
  });
});
