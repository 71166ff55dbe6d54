import { expect } from 'chai';
import type { Knex } from 'knex';
import { makePasswordToken } from '../../../core/tenants/members/member-links.ts';
import { startApp } from '../../support/app.ts';
import { canary, rememberSecret } from '../../support/canaries.ts';
import { quickHash } from '../../support/dashboard/factors.ts';
import { changeStoredMember, dashboardClient, signedInAs } from '../../support/dashboard/members.ts';
import type { ClientResponse } from '../../support/http-client.ts';
import { expectError } from '../../support/std-error.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

describe('a password that is changed', function () {
  const app = use(this, () => startApp());
  const password = canary('password');

  const changeMember = (db: Knex.Transaction, id: number, changes: Parameters<typeof changeStoredMember>[2]) =>
    changeStoredMember({ ...app.services, db }, id, changes);

  async function person() {
    const someone = await signedInAs(app, 'developer');
    await changeStoredMember(app.services, someone.member.id, { password: quickHash(password) });
    return someone;
  }

  /**
   * Sends a request while the transaction of a change is still open, then commits it.
   *
   * @returns the response, which arrives after the commit
   */
  async function during(change: (trx: Knex.Transaction) => Promise<unknown>, request: () => Promise<ClientResponse>) {
    const { db } = app.services;
    const trx = await db.transaction();
    try {
      await change(trx);
      const response = request();
      const waiting = () => db('pg_stat_activity').whereRaw("datname = current_database() and wait_event_type = 'Lock'").first();
      await until('the request waits for the change', async () => (await waiting()) !== undefined);
      await trx.commit();
      return await response;
    } finally {
      if (!trx.isCompleted()) await trx.rollback();
    }
  }

  it('is not stored from a session that the enrollment of a second factor ends meanwhile', async () => {
    const { member, ui } = await person();
    const enrol = async (trx: Knex.Transaction) => {
      await changeMember(trx, member.id, { has_factor: true });
      await trx('member_sessions').where({ member_id: member.id }).delete();
    };
    const change = () => ui.put('/api/ui/me/password', { current: password, password: canary('password') });
    expectError(await during(enrol, change), 'invalid_login');
    const stored = await app.services.db('members').where({ id: member.id }).first('password');
    expect(stored.password).to.equal(quickHash(password));
  });

  const changes = {
    'its password is changed': (trx: Knex.Transaction, id: number) =>
      changeMember(trx, id, { password: quickHash('another one') }),
    'the member is removed': (trx: Knex.Transaction, id: number) => trx('members').where({ id }).delete(),
  };
  for (const [what, change] of Object.entries(changes))
    it(`opens no session to a sign-in with the old one while ${what}`, async () => {
      const { member } = await person();
      const logIn = () => dashboardClient(app).post('/api/ui/login', { email: member.email, password });
      expect((await logIn()).status).to.equal(200);
      const sessions = () => app.services.db('member_sessions').where({ member_id: member.id });
      await sessions().delete();
      expectError(await during((trx) => change(trx, member.id), logIn), 'invalid_login');
      expect(await sessions()).to.deep.equal([]);
    });

  it('is not replaced by a concurrent change that was confirmed by the old one', async () => {
    const { ui, member } = await person();
    const chosen = quickHash('chosen by a link');
    const put = () => ui.put('/api/ui/me/password', { current: password, password: canary('too late') });
    const response = during((trx) => changeMember(trx, member.id, { password: chosen }), put);
    expectError(await response, 'invalid_login');
    expect(await app.services.db('members').where({ id: member.id }).first('password')).to.deep.equal({ password: chosen });
  });

  it('invalidates links for setting a new password', async () => {
    const { ui, member } = await person();
    const token = rememberSecret('link', await makePasswordToken(app.services, { accountId: 1, memberId: member.id }));
    expect((await ui.put('/api/ui/me/password', { current: password, password: canary('own') })).status).to.equal(204);
    expectError(await dashboardClient(app).post('/api/ui/join', { token, password: canary('by a link') }), 'invalid_login');
  });
});
