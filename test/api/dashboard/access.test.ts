import { expect } from 'chai';
import { dashboardRoutes } from '../../../core/api/routes.ts';
import { isStream } from '../../../core/server/route.ts';
import { createAccount } from '../../../core/tenants/environments/bootstrap.ts';
import { includesRole, permissionOf, ROLES } from '../../../core/tenants/members/permissions.ts';
import { startApp } from '../../support/app.ts';
import { dashboardClient, OF_OUR_PAGE, signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { apiDocument } from '../../support/requests/operations.ts';
import { expectError } from '../../support/std-error.ts';
import { use } from '../../support/use.ts';

/** Pages for people who have not signed in yet; they reveal nothing more than the sign-in page does. */
const PAGES = ['/setup', '/login', '/join', '/e', '/account', '/dashboard/assets/:asset'];

const routes = dashboardRoutes.filter((route) => !isStream(route)).filter(({ path }) => !PAGES.includes(path));
const needed = ({ access }: (typeof routes)[number]) =>
  typeof access === 'object' && 'dashboard' in access ? access.dashboard : undefined;
const guarded = routes.filter((route) => needed(route) !== 'anyone');
/** Replaces the parameters in a route's path with names of things that do not exist. */
const pathOf = ({ path }: (typeof routes)[number], env = 'dev') => path.replace(':env', env).replaceAll(/:\w+/g, '999999');
/** True for a stream of events, which does not end by itself and is tested in another suite. */
const isEndless = ({ responses }: (typeof routes)[number]) => responses[200]?.type === 'text/event-stream';
const nameOf = ({ method, path }: (typeof routes)[number]) => `${method} ${path}`;
const ENDS_THE_SESSION = 'POST /api/ui/logout';

describe('who may call the endpoints of the dashboard (AUT-01, TEN-01)', function () {
  const app = use(this, () => startApp({ env: { SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0' } }));

  it('declares a role for every route but the pages, all below /api/ui', () => {
    expect(dashboardRoutes.filter(({ access }) => access === 'public').map(({ path }) => path)).to.have.members(PAGES);
    expect(guarded.length).to.be.greaterThan(30);
    for (const route of routes) {
      expect(needed(route), nameOf(route)).not.to.equal(undefined);
      expect(route.path).to.match(/^\/api\/ui\//);
    }
  });

  it('is not in the public OpenAPI document', () => {
    expect(Object.keys(apiDocument.paths).filter((path) => path.startsWith('/api/ui'))).to.deep.equal([]);
  });

  it('is closed to API keys, account keys and people who are not signed in', async () => {
    for (const key of [undefined, app.apiKey, app.accountKey]) {
      const client = dashboardClient(app);
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      for (const route of guarded) expectError(await client.call(route.method, pathOf(route), { headers }), 'signed_out');
    }
  });

  it('finds no environment under an invalid name', async () => {
    const { ui } = await signedInAs(app, 'admin');
    for (const name of ['%00', 'a%0Ab', '%F0%9F%8E%89', 'x'.repeat(300), 'DEV', '..%2Fdev'])
      expectError(await ui.get(`/api/ui/e/${name}/settings`), 'not_found');
  });

  it('is closed to an invented session', async () => {
    const client = dashboardClient(app, `svc_session=${'A'.repeat(43)}`);
    for (const route of guarded) expectError(await client.call(route.method, pathOf(route)), 'signed_out');
  });

  for (const role of ROLES) {
    it(`opens to the role ${role} exactly the endpoints for it`, async () => {
      const { ui } = await signedInAs(app, role);
      for (const route of guarded.filter((one) => nameOf(one) !== ENDS_THE_SESSION)) {
        const at = needed(route);
        const isOpen = at !== undefined && at !== 'anyone' && includesRole(role, permissionOf(at).role);
        if (isOpen && isEndless(route)) continue;
        const { status, body } = await ui.call(route.method, pathOf(route));
        if (isOpen && body?.error?.code !== 'password_needed')
          expect(status, `${nameOf(route)} ${JSON.stringify(body)}`).not.to.be.oneOf([401, 403, 500]);
        else if (isOpen) expect(permissionOf(at).confirmed, nameOf(route)).to.equal('always');
        else expect(body?.error?.code, nameOf(route)).to.equal('forbidden');
      }
    });
  }

  it('responds for an environment of another account as for one that does not exist', async () => {
    await createAccount(app.services, 'other');
    const [other] = await app.services.db('environments').whereNot({ account_id: 1 }).select('account_id', 'name');
    await app.services.db('environments').where(other).update({ name: 'theirs' });
    const { ui } = await signedInAs(app, 'admin');
    for (const route of guarded.filter(({ path }) => path.includes(':env'))) {
      const [foreign, none] = [
        await ui.call(route.method, pathOf(route, 'theirs')),
        await ui.call(route.method, pathOf(route, 'none00')),
      ];
      expect(foreign.status, nameOf(route)).to.equal(none.status);
      expect(foreign.text.replaceAll('theirs', 'none00'), nameOf(route)).to.equal(none.text);
    }
  });
});

/** Headers that a page of another site can make a browser send. */
const FORGERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a cross-site page': { ...OF_OUR_PAGE, 'sec-fetch-site': 'cross-site' },
  'a page of a sibling host': { ...OF_OUR_PAGE, 'sec-fetch-site': 'same-site' },
  'another origin, in a browser without Sec-Fetch-Site': { 'sec-fetch-site': '', origin: 'http://evil.example', 'x-svc-ui': '1' },
  'nobody, by neither header': { 'sec-fetch-site': '', 'x-svc-ui': '1' },
  'a form, which sends no header of its own': { 'sec-fetch-site': 'same-origin', 'x-svc-ui': '' },
};

describe('forged requests to the dashboard (AUT-04)', function () {
  const app = use(this, () => startApp());
  let admin: TestMember;

  before(async () => {
    admin = await signedInAs(app, 'admin');
  });

  for (const [what, headers] of Object.entries(FORGERIES)) {
    it(`refuses every change that comes from ${what}`, async () => {
      for (const route of routes.filter(({ method }) => method !== 'GET')) {
        const sent = Object.fromEntries(
          Object.entries({ ...OF_OUR_PAGE, ...headers, cookie: admin.cookie }).filter(([, one]) => one !== ''),
        );
        const response = await fetch(new URL(pathOf(route), app.url), { method: route.method, headers: sent });
        expect(response.status, nameOf(route)).to.equal(403);
        expect(await response.text()).to.contain('"forbidden"');
      }
    });
  }

  it('accepts our own Origin where a browser sends no Sec-Fetch-Site', async () => {
    const headers = { cookie: admin.cookie, 'x-svc-ui': '1', origin: app.url };
    const response = await fetch(new URL('/api/ui/logout', app.url), { method: 'POST', headers });
    expect(response.status).to.equal(204);
  });

  it('accepts no body but JSON', async () => {
    const { ui } = await signedInAs(app, 'admin');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expectError(await ui.call('POST', '/api/ui/me/confirm', { headers: form, body: 'password=a' }), 'invalid_content_type');
  });
});
