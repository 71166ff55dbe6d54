import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { hashSecret, newSecret } from '../../core/kit/random-id.ts';
import { memberCookie } from '../../core/server/access/cookies.ts';
import { makeInvitation, makePasswordToken } from '../../core/tenants/members/member-links.ts';
import type { MemberRow } from '../../core/tenants/members/member-rows.ts';
import { startApp } from '../support/app.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { firstStep, logIn, quickHash, withPassword, withTotp } from '../support/dashboard/factors.ts';
import { dashboardClient, signedInAs } from '../support/dashboard/members.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const PASSWORD = canary('password of an attacker');

/** For each column that decides about sign-in or permissions, the value that an attacker would write into it. */
const CHANGES: Readonly<Partial<Record<keyof MemberRow, unknown>>> = {
  email: 'mallory@evil.example',
  role: 'admin',
  password: quickHash(PASSWORD),
  oidc_issuer: 'https://evil.example',
  oidc_subject: 'mallory',
  has_factor: true,
};

describe('CRY-02: a writer of the database without its keys, at the dashboard', function () {
  const app = use(this, startApp);
  const db = () => app.database.db;
  const me = async (cookie: string) => dashboardClient(app, cookie).get('/api/ui/me');
  const join = (token: string) => dashboardClient(app).post('/api/ui/join', { token, name: 'Mallory', password: PASSWORD });

  for (const [column, value] of Object.entries(CHANGES))
    it(`changes a member's ${column} in vain`, async () => {
      const { ui, member } = await signedInAs(app, 'viewer');
      await db()('members')
        .where({ id: member.id })
        .update({ [column]: value });
      expectError(await ui.get('/api/ui/me'), 'signed_out');
      const email = column === 'email' ? String(value) : member.email;
      expectError(await dashboardClient(app).post('/api/ui/login', { email, password: PASSWORD }), 'invalid_login');
    });

  it('creates no member, even with the HMAC of another one', async () => {
    const { member } = await signedInAs(app, 'admin');
    const email = `${randomUUID()}@evil.example`;
    await db().raw(
      `insert into members (account_id, name, email, role, password, mac)
       select account_id, name, ?, role, ?, mac from members where id = ?`,
      [email, quickHash(PASSWORD), member.id],
    );
    expectError(await dashboardClient(app).post('/api/ui/login', { email, password: PASSWORD }), 'invalid_login');
  });

  it('removes no second factor', async () => {
    const person = await withTotp(app);
    await db()('members').where({ id: person.member.id }).update({ has_factor: false });
    expectError(await logIn(app, person), 'invalid_login');
  });

  it('completes no sign-in that awaits the second factor', async () => {
    const person = await withTotp(app);
    const awaiting = await firstStep(app, person);
    await db()('member_sessions').where({ member_id: person.member.id }).update({ awaits_factor: false });
    expectError(await awaiting.ui.get('/api/ui/me'), 'signed_out');
  });

  it('takes over no session, neither by moving nor by copying one', async () => {
    const [admin, own] = [await signedInAs(app, 'admin'), await signedInAs(app, 'viewer')];
    const token = rememberSecret('session of an attacker', newSecret());
    await db().raw(
      `insert into member_sessions (member_id, token_hash, address, user_agent, created_at, last_seen_at, idle_seconds, expires_at, mac)
       select member_id, ?, address, user_agent, created_at, last_seen_at, idle_seconds, expires_at, mac
       from member_sessions where member_id = ?`,
      [hashSecret(token), admin.member.id],
    );
    expectError(await me(memberCookie(token, { baseUrl: app.url }).split(';', 1)[0] ?? ''), 'signed_out');
    await db()('member_sessions').where({ member_id: own.member.id }).update({ member_id: admin.member.id });
    expectError(await own.ui.get('/api/ui/me'), 'signed_out');
    expect((await admin.ui.get('/api/ui/me')).status).to.equal(200);
  });

  it('creates no invitation or password link, and changes none', async () => {
    const victim = await withPassword(app, 'admin');
    const own = await withPassword(app, 'viewer');
    const account = { accountId: app.accountId };
    const newLink = async (memberId: number) =>
      rememberSecret('link', await makePasswordToken(app.services, { ...account, memberId }));
    const moved = await newLink(own.member.id);
    await db()('member_links')
      .where({ token_hash: hashSecret(moved) })
      .update({ member_id: victim.member.id });
    expectError(await join(moved), 'invalid_login');

    const invited = await makeInvitation(app.services, { ...account, email: 'm@evil.example', role: 'viewer' });
    rememberSecret('invitation', invited.token);
    await db()('member_links')
      .where({ token_hash: hashSecret(invited.token) })
      .update({ role: 'admin' });
    expectError(await join(invited.token), 'invalid_login');

    const made = rememberSecret('link', newSecret());
    const copied = await newLink(victim.member.id);
    await db().raw(
      `insert into member_links (token_hash, kind, account_id, member_id, expires_at, mac)
       select ?, kind, account_id, member_id, expires_at, mac from member_links where token_hash = ?`,
      [hashSecret(made), hashSecret(copied)],
    );
    expectError(await join(made), 'invalid_login');
    expect((await join(copied)).status, 'the unchanged link').to.equal(200);
  });

  it('leaves a member that admins can remove but whose forged role they cannot confirm', async () => {
    const [boss, forged] = [await signedInAs(app, 'admin'), await signedInAs(app, 'viewer')];
    await db()('members').where({ id: forged.member.id }).update({ role: 'admin' });
    const path = `/api/ui/account/members/${forged.member.id}`;
    expectError(await boss.ui.patch(path, { role: 'developer' }), 'conflict');
    expect((await boss.ui.delete(path)).status).to.equal(204);
  });

  it('is reported in the log', async () => {
    const { ui, member } = await signedInAs(app, 'viewer');
    await db()('members').where({ id: member.id }).update({ role: 'admin' });
    expectError(await ui.get('/api/ui/me'), 'signed_out');
    const lines = app.logLines.filter((line) => line.includes(`"memberId":${member.id}`));
    expect(lines[0]).to.contain('was not written by this service');
  });
});
