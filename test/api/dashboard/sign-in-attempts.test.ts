import { expect } from 'chai';
import { makePasswordToken } from '../../../core/tenants/members/member-links.ts';
import { hashPassword } from '../../../core/tenants/members/password.ts';
import { startApp } from '../../support/app.ts';
import { canary, rememberSecret } from '../../support/canaries.ts';
import { changeStoredMember, dashboardClient, signedInAs } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { use } from '../../support/use.ts';

describe('attempts to sign in', function () {
  const app = use(this, startApp);

  const logIn = (email: string, password: string, cookie?: string) =>
    dashboardClient(app, cookie).post('/api/ui/login', { email, password });
  const setCount = (count: number) => app.database.db('sign_in_attempts').update({ count });

  async function withPassword() {
    const password = canary('password of a member');
    const found = await signedInAs(app, 'admin');
    await changeStoredMember(app.services, found.member.id, { password: await hashPassword(password) });
    return { ...found, password };
  }

  /** Signs in. @returns the cookie by which the service recognizes the browser from then on */
  async function deviceOf(email: string, password: string): Promise<string> {
    const signedIn = await logIn(email, password);
    expect(signedIn.status).to.equal(200);
    const cookie = signedIn.headers.getSetCookie().find((one) => one.startsWith('svc_device=')) ?? '';
    expect(cookie).to.match(/; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/);
    return rememberSecret('device', cookie.split(';', 1)[0] ?? '');
  }

  it('are refused to unknown browsers after twenty failures for an e-mail, also with the right password, for an hour', async () => {
    const { member, password } = await withPassword();
    expectError(await logIn(member.email, 'x'), 'invalid_login');
    await setCount(19);
    expectError(await logIn(member.email, 'x'), 'invalid_login');
    const refused = await logIn(member.email, password);
    expectError(refused, 'too_many_request');
    expect(refused.body.error.message).to.equal('too many attempts; try again in 60 minutes');
    await app.clock.advance(60 * 60_000, app.database.db);
    expect((await logIn(member.email, password)).status).to.equal(200);
    await app.database.db('sign_in_attempts').delete();
  });

  it('stay possible for a browser that signed in before, whatever strangers do, for ten failures of its own', async () => {
    const { member, password } = await withPassword();
    const device = await deviceOf(member.email, password);
    expectError(await logIn(member.email, 'x'), 'invalid_login');
    await setCount(1_000);
    expectError(await logIn(member.email, password), 'too_many_request');
    expect((await logIn(member.email, password, device)).status).to.equal(200);
    for (let attempt = 0; attempt < 10; attempt += 1) expectError(await logIn(member.email, 'x', device), 'invalid_login');
    const refused = await logIn(member.email, password, device);
    expectError(refused, 'too_many_request');
    expect(refused.body.error.message).to.equal('too many attempts; try again in 15 minutes');
    await app.database.db('sign_in_attempts').delete();
  });

  it('gain nothing from the cookie of another person, an invented cookie, or one that is 180 days old', async () => {
    const { member, password } = await withPassword();
    const other = await withPassword();
    const [own, foreign] = [await deviceOf(member.email, password), await deviceOf(other.member.email, other.password)];
    expectError(await logIn(member.email, 'x'), 'invalid_login');
    await setCount(1_000);
    const madeUp = `svc_device=${Buffer.from(JSON.stringify({ memberId: member.id, at: new Date().toISOString() })).toString('base64url')}`;
    for (const cookie of [foreign, madeUp, `${own.slice(0, -2)}AA`, `${own}; ${own}`])
      expectError(await logIn(member.email, password, cookie), 'too_many_request');
    expect((await logIn(member.email, password, own)).status).to.equal(200);
    await app.clock.advance(180 * 24 * 60 * 60_000);
    await app.database
      .db('sign_in_attempts')
      .update({ count: 1_000, window_ends_at: new Date(app.clock.now().getTime() + 60_000) });
    expectError(await logIn(member.email, password, own), 'too_many_request');
    await app.database.db('sign_in_attempts').delete();
  });

  it('by a valid link are never refused, however many invented links were tried', async () => {
    const { member } = await withPassword();
    const tokens = { account: app.accountId, memberId: member.id };
    const token = rememberSecret(
      'password link',
      await makePasswordToken(app.services, { accountId: tokens.account, memberId: tokens.memberId }),
    );
    const join = (one: string) => dashboardClient(app).post('/api/ui/join', { token: one, password: canary('password by link') });
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const { status } = await join(`made-up-${attempt}`);
      expect(status).to.be.oneOf([401, 429]);
    }
    expect((await join(token)).status).to.equal(200);
  });

  it('lock out no signed-in member, who may confirm the password ten times despite the failures of strangers', async () => {
    const { ui, member, password } = await withPassword();
    expectError(await logIn(member.email, 'x'), 'invalid_login');
    await setCount(1_000);
    expect((await ui.post('/api/ui/me/confirm', { password })).status).to.equal(200);
    for (let attempt = 0; attempt < 10; attempt += 1)
      expectError(await ui.post('/api/ui/me/confirm', { password: 'x' }), 'invalid_login');
    expectError(await ui.post('/api/ui/me/confirm', { password }), 'too_many_request');
    await app.database.db('sign_in_attempts').delete();
  });

  it('are limited to fifty from one address, whatever the e-mail', async () => {
    await app.clock.advance(15 * 60_000, app.database.db);
    const ui = dashboardClient(app);
    await app.database.db('sign_in_attempts').delete();
    expectError(await ui.post('/api/ui/login', { email: 'first@acme.example', password: 'x' }), 'invalid_login');
    await setCount(50);
    expectError(await ui.post('/api/ui/login', { email: 'another@acme.example', password: 'x' }), 'too_many_request');
  });
});
