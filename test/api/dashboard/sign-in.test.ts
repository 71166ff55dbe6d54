import { expect } from 'chai';
import { mayUseHttp } from '../../../core/api/members/encrypted.ts';
import { auditPage } from '../../../core/journal/audit-trail/trail.ts';
import { firstAccountId } from '../../../core/tenants/environments/environment-store.ts';
import { makeInvitation, makePasswordToken } from '../../../core/tenants/members/member-links.ts';
import { memberByEmail } from '../../../core/tenants/members/member-store.ts';
import { makeSetupToken } from '../../../core/tenants/members/setup.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { canary, rememberSecret } from '../../support/canaries.ts';
import { dashboardClient, sessionOf, signedInAs } from '../../support/dashboard/members.ts';
import { freePort } from '../../support/free-port.ts';
import type { ClientResponse } from '../../support/http-client.ts';
import { expectError } from '../../support/std-error.ts';
import { use } from '../../support/use.ts';

const ADA = { name: 'Ada Lovelace', email: 'ada@acme.example' };
const DAY_MS = 24 * 3_600_000;

async function setupToken({ services }: TestApp): Promise<string> {
  return rememberSecret('setup token', await makeSetupToken(services, (await firstAccountId(services.db)) ?? 0));
}

function cookieOf({ headers }: ClientResponse): string {
  return rememberSecret('cookie', headers.getSetCookie()[0]?.split(';', 1)[0] ?? '');
}

/** Returns the latest actions in the audit trail, the newest last. */
async function recorded({ services }: TestApp, limit: number): Promise<string[]> {
  const { entries } = await auditPage(services.db, { accountId: 1 }, { limit });
  return entries.map(({ action }) => action).toReversed();
}

describe('the first admin', function () {
  const app = use(this, startApp);
  const password = canary('password');
  /** The e-mail address of the first admin. */
  let email: string;

  it('is created with the setup token only, once, by the first request', async () => {
    const ui = dashboardClient(app);
    expect((await ui.get('/api/ui/setup')).body.data).to.include({ needed: true, insecure: false });
    expectError(await ui.post('/api/ui/setup', { token: 'wrong', ...ADA, password }), 'invalid_login');
    const token = await setupToken(app);
    expect((await ui.get('/api/ui/setup')).body.data.has_setup_link).to.equal(true);
    expectError(await ui.post('/api/ui/setup', { token, ...ADA, password: 'short' }), 'invalid_body');

    const claims = [ADA, { ...ADA, email: 'eve@acme.example' }].map((person) =>
      ui.post('/api/ui/setup', { token, ...person, password }),
    );
    const [won, lost] = (await Promise.all(claims)).toSorted((one, two) => one.status - two.status);
    expect(won?.status).to.equal(201);
    expect(lost?.status).to.be.oneOf([401, 409]);
    expect(won?.body.data.role).to.equal('admin');
    expect(won?.body.data.environments).to.deep.equal([
      { name: 'dev', is_production: false },
      { name: 'prod', is_production: true },
    ]);
    expect((await ui.get('/api/ui/setup')).body.data).to.include({ needed: false, has_setup_link: false });
    expectError(await ui.post('/api/ui/setup', { token, ...ADA, password }), 'invalid_login');
    expect(await app.database.db('members').select('role')).to.deep.equal([{ role: 'admin' }]);
    expect(await recorded(app, 3)).to.deep.equal(['member.join', 'environment.create', 'member.sign_in']);
    email = won?.body.data.email;
  });

  it('signs in with the password, in any spelling of the e-mail', async () => {
    const ui = dashboardClient(app);
    const response = await ui.post('/api/ui/login', { email: ` ${email.toUpperCase()}`, password });
    expect(response.body.data.email).to.equal(email);
    expect(response.headers.getSetCookie()[0]).to.match(/^svc_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const { entries } = await auditPage(app.services.db, { accountId: 1 }, { limit: 1 });
    expect(entries[0]).to.deep.include({ action: 'member.sign_in', address: '127.0.0.1' });
    expect(entries[0]?.actor).to.include({ kind: 'member', name: email });
    const signedIn = dashboardClient(app, cookieOf(response));
    expect((await signedIn.get('/api/ui/me')).body.data).to.include({ name: response.body.data.name, has_password: true });
    expect((await signedIn.post('/api/ui/logout')).status).to.equal(204);
    const { entries: after } = await auditPage(app.services.db, { accountId: 1 }, { limit: 1 });
    expect(after[0]).to.deep.include({ action: 'member.sign_out' });
    expectError(await signedIn.get('/api/ui/me'), 'signed_out');
  });

  it('gets the same answer to a wrong password as to an unknown e-mail', async () => {
    const ui = dashboardClient(app);
    const wrong = await ui.post('/api/ui/login', { email, password: 'no password of hers' });
    const unknown = await ui.post('/api/ui/login', { email: 'nobody@acme.example', password: 'no password of hers' });
    expectError(wrong, 'invalid_login');
    expect(wrong.text).to.equal(unknown.text);
  });

  it('changes the password, which ends the sessions elsewhere', async () => {
    const ui = dashboardClient(app);
    const [here, elsewhere] = [cookieOf(await ui.post('/api/ui/login', { email, password })), await otherSession(app, email)];
    const next = canary('next password');
    const mine = dashboardClient(app, here);
    expectError(await mine.put('/api/ui/me/password', { current: 'a wrong password', password: next }), 'invalid_login');
    expect((await mine.put('/api/ui/me/password', { current: password, password: next })).status).to.equal(204);
    expect((await mine.get('/api/ui/me')).status).to.equal(200);
    expectError(await dashboardClient(app, elsewhere).get('/api/ui/me'), 'signed_out');
    expectError(await ui.post('/api/ui/login', { email, password }), 'invalid_login');
  });
});

/** Opens another session of the member with this e-mail address. @returns its cookie */
async function otherSession(app: TestApp, email: string): Promise<string> {
  const member = await memberByEmail(app.services, email);
  if (member === undefined) throw new Error(`${email} is no member`);
  return (await sessionOf(app, member)).cookie;
}

describe('signing in', function () {
  const app = use(this, startApp);

  it('ends after twelve hours without a request, and after seven days in any case', async () => {
    const { ui } = await signedInAs(app, 'viewer');
    for (let day = 0; day < 13; day += 1) {
      expect((await ui.get('/api/ui/me')).status).to.equal(200);
      await app.clock.advance(11 * 3_600_000, app.database.db);
    }
    await app.clock.advance(DAY_MS, app.database.db);
    expectError(await ui.get('/api/ui/me'), 'signed_out');
    const idle = await signedInAs(app, 'viewer');
    await app.clock.advance(12 * 3_600_000, app.database.db);
    expectError(await idle.ui.get('/api/ui/me'), 'signed_out');
  });

  it('shows the sessions of the person, and ends them', async () => {
    const { ui, member } = await signedInAs(app, 'developer');
    const other = await signedInAs(app, 'developer');
    const [mine] = (await ui.get('/api/ui/me/sessions')).body.data;
    expect(mine).to.include({ address: '127.0.0.1', user_agent: 'test', is_current: true });
    const [theirs] = (await other.ui.get('/api/ui/me/sessions')).body.data;
    expectError(await ui.delete(`/api/ui/me/sessions/${theirs.id}`), 'not_found');
    expect((await ui.delete(`/api/ui/me/sessions/${mine.id}`)).status).to.equal(204);
    expectError(await ui.get('/api/ui/me'), 'signed_out');
    expect(await app.database.db('member_sessions').where({ member_id: member.id })).to.deep.equal([]);
  });

  it('accepts a link for a new password once, and then ends all sessions', async () => {
    const { ui, member } = await signedInAs(app, 'developer');
    const token = rememberSecret('link', await makePasswordToken(app.services, { accountId: 1, memberId: member.id }));
    const password = canary('new password');
    const client = dashboardClient(app);
    expect((await client.post('/api/ui/join', { token, password })).body.data.email).to.equal(member.email);
    expectError(await ui.get('/api/ui/me'), 'signed_out');
    expectError(await client.post('/api/ui/join', { token, password }), 'invalid_login');
    expect(await recorded(app, 2)).to.deep.equal(['member.password_change', 'member.sign_in']);
  });

  it('creates the member who was invited', async () => {
    const invitation = { accountId: 1, email: 'grace@acme.example', role: 'viewer' } as const;
    const { token } = await makeInvitation(app.services, invitation);
    const password = canary('password of the invited');
    const { body } = await dashboardClient(app).post('/api/ui/join', { token, name: 'Grace', password });
    expect(body.data).to.include({ name: 'Grace', email: 'grace@acme.example', role: 'viewer' });
    expect(await recorded(app, 2)).to.deep.equal(['member.join', 'member.sign_in']);
  });

  it('creates no member and no session if that cannot be recorded', async () => {
    const { token } = await makeInvitation(app.services, { accountId: 1, email: 'kay@acme.example', role: 'viewer' });
    await app.services.db.raw('alter table audit_head disable trigger user; delete from audit_head');
    const sessions = await app.database.db('member_sessions');
    const { status } = await dashboardClient(app).post('/api/ui/join', { token, password: canary('password of Kay') });
    expect(status).to.equal(500);
    expect(await memberByEmail(app.services, 'kay@acme.example')).to.equal(undefined);
    expect(await app.database.db('member_sessions')).to.deep.equal(sessions);
  });
});

describe('signing in without encryption', function () {
  const listening = async () => {
    const port = await freePort();
    const app = await startApp({ env: { PORT: String(port), SVC_BASE_URL: 'http://svc.internal' } });
    return Object.assign(app, { listensAt: `http://127.0.0.1:${port}` });
  };
  const app = use(this, listening);

  it('is refused from other machines, which the page says before anything is typed', async () => {
    const ui = dashboardClient({ url: app.listensAt });
    const headers = { origin: app.url };
    expect((await ui.get('/api/ui/setup')).body.data.insecure).to.equal(true);
    const { status, body } = await ui.post('/api/ui/login', { email: ADA.email, password: 'any' }, { headers });
    expect(status).to.equal(403);
    expect(body.error.message).to.contain('SVC_ALLOW_HTTP');
  });

  for (const [baseUrl, may] of Object.entries({
    'https://svc.example': true,
    'http://localhost:3003': true,
    'http://127.0.0.1:3003': true,
    'http://[::1]:3003': true,
    'http://svc.example': false,
    'http://localhost.evil.example': false,
  })) {
    it(`is ${may ? 'possible' : 'refused'} at ${baseUrl}`, () => {
      expect(mayUseHttp(baseUrl, false)).to.equal(may);
      expect(mayUseHttp(baseUrl, true)).to.equal(true);
    });
  }
});
