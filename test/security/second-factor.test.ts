import { expect } from 'chai';
import { resetFactors } from '../../core/tenants/members/factors/enrol.ts';
import { makePasswordToken } from '../../core/tenants/members/member-links.ts';
import { startApp } from '../support/app.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import {
  byName,
  codeAt,
  cookieOf,
  finish,
  firstStep,
  logIn,
  race,
  withPassword,
  withTotp,
} from '../support/dashboard/factors.ts';
import { dashboardClient, sessionOf, type TestMember } from '../support/dashboard/members.ts';
import { freePort } from '../support/free-port.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const FINISH = '/api/ui/login/factor';
const CONFIRM = '/api/ui/me/confirm';

describe('attacks on the second factor', function () {
  const app = use(this, async () => startApp({ env: byName(await freePort()) }));

  afterEach(() => app.database.db('sign_in_attempts').delete());

  describe('an enrolment', () => {
    it('ends earlier sessions, of which none can enrol another factor at the same time', async () => {
      const person = await withPassword(app);
      const others: TestMember[] = [];
      for (let at = 0; at < 5; at += 1) others.push(await sessionOf(app, person.member));
      const secrets: string[] = [];
      for (const one of others) secrets.push((await one.ui.post('/api/ui/me/factors/totp')).body.data.secret);
      for (const one of secrets) rememberSecret('secret of an app', one);
      await app.clock.advance(30_000, app.database.db);
      const statuses = await race(others.length, (at) => {
        const code = codeAt(secrets[at] ?? '', app.clock.now());
        return (others[at] as TestMember).ui.post('/api/ui/me/factors/totp/confirm', { code });
      });
      expect(statuses[201]).to.equal(1);
      const live = await app.database.db('member_sessions').where({ member_id: person.member.id });
      expect(live).to.have.length(1);
    });

    it('leaves no session without the factor after a sign-in at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const person = await withPassword(app);
        const { secret } = (await person.ui.post('/api/ui/me/factors/totp')).body.data;
        rememberSecret('secret of an app', secret);
        await app.clock.advance(30_000, app.database.db);
        const [enrolled, ...signedIn] = await Promise.all([
          person.ui.post('/api/ui/me/factors/totp/confirm', { code: codeAt(secret, app.clock.now()) }),
          ...Array.from({ length: 5 }, () => logIn(app, person)),
        ]);
        expect(enrolled.status).to.equal(201);
        for (const response of signedIn) {
          const me = await dashboardClient(app, cookieOf(response)).get('/api/ui/me');
          expect(me.status, `after ${response.status}`).to.equal(401);
        }
        await app.database.db('sign_in_attempts').delete();
      }
    });

    it('accepts only its own challenge, not the secret of another session’s enrolment', async () => {
      const [person, thief] = [await withPassword(app), await withPassword(app)];
      const { secret } = (await thief.ui.post('/api/ui/me/factors/totp')).body.data;
      rememberSecret('secret of an app', secret);
      const { secret: own } = (await person.ui.post('/api/ui/me/factors/totp')).body.data;
      rememberSecret('secret of an app', own);
      const code = codeAt(secret, app.clock.now());
      expectError(await person.ui.post('/api/ui/me/factors/totp/confirm', { code }), 'invalid_login');
    });
  });

  describe('ways around it', () => {
    it('a link for a new password leads only to the second step', async () => {
      const person = await withTotp(app);
      const { accountId, services } = app;
      const token = rememberSecret('link', await makePasswordToken(services, { accountId, memberId: person.member.id }));
      const password = canary('password of a member');
      const joined = await dashboardClient(app).post('/api/ui/join', { token, password });
      expect(joined.status).to.equal(202);
      expectError(await dashboardClient(app, cookieOf(joined)).get('/api/ui/me'), 'signed_out');
    });

    it('a session that awaits the second factor does not open the routes of a member', async () => {
      const awaiting = await firstStep(app, await withTotp(app));
      for (const [method, path] of [
        ['GET', '/api/ui/me'],
        ['POST', CONFIRM],
        ['PUT', '/api/ui/me/password'],
        ['POST', '/api/ui/me/factors/totp'],
        ['POST', '/api/ui/me/recovery-codes'],
        ['DELETE', '/api/ui/me/factors/1'],
        ['GET', '/api/ui/e/dev/logs/stream'],
        ['POST', '/api/ui/e/dev/connect/sessions'],
      ] as const)
        expectError(await awaiting.ui.call(method, path, method === 'GET' ? {} : { body: {} }), 'signed_out');
    });

    it('a completed sign-in has no second step left', async () => {
      const person = await withTotp(app);
      expectError(await person.ui.post(FINISH, { code: await person.code() }), 'conflict');
    });

    it('the operator can reset lost factors, which ends all sessions', async () => {
      const person = await withTotp(app);
      const awaiting = await firstStep(app, person);
      await app.services.db.transaction((trx) => resetFactors(trx, app.services, person.member.id));
      expectError(await awaiting.ui.post(FINISH, { code: await person.code() }), 'signed_out');
      expectError(await person.ui.get('/api/ui/me'), 'signed_out');
      expect((await logIn(app, person)).status).to.equal(200);
    });
  });

  describe('a writer of the database without its keys', () => {
    it('cannot give a member the factor of another', async () => {
      const [person, thief] = [await withTotp(app), await withTotp(app)];
      const { db } = app.database;
      const { secret } = await db('member_factors').where({ member_id: thief.member.id, kind: 'totp' }).first('secret');
      await db('member_factors').where({ member_id: person.member.id, kind: 'totp' }).update({ secret, counter: 0 });
      const awaiting = await firstStep(app, person);
      expectError(await finish(awaiting, { code: await thief.code() }), 'server_error');
    });

    it('locks people out by deleting factors, but lets nobody in', async () => {
      const person = await withTotp(app);
      await app.database.db('member_factors').where({ member_id: person.member.id }).delete();
      const awaiting = await firstStep(app, person);
      expectError(await finish(awaiting, { code: await person.code() }), 'invalid_login');
    });

    it('reads neither secrets nor recovery codes', async () => {
      const person = await withTotp(app);
      const rows = await app.database.db('member_factors').where({ member_id: person.member.id });
      const text = rows.map(({ secret }: { secret: Buffer }) => secret.toString('latin1')).join();
      for (const one of [person.secret, ...person.recoveryCodes]) expect(text).to.not.contain(one);
    });
  });
});
