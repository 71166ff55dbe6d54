import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { rememberSecret } from '../support/canaries.ts';
import {
  byName,
  codeAt,
  cookieOf,
  finish,
  firstStep,
  logIn,
  race,
  withPasskey,
  withPassword,
  withTotp,
} from '../support/dashboard/factors.ts';
import { dashboardClient, type TestMember } from '../support/dashboard/members.ts';
import { freePort } from '../support/free-port.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const FINISH = '/api/ui/login/factor';
const CONFIRM = '/api/ui/me/confirm';

describe('attacks on the codes of a second factor', function () {
  const app = use(this, async () => startApp({ env: byName(await freePort()) }));
  /** Begins several sign-ins of a member and completes the first step of each, before the second factor. */
  const steps = async (person: Parameters<typeof firstStep>[1], count: number) => {
    const all: TestMember[] = [];
    for (let at = 0; at < count; at += 1) all.push(await firstStep(app, person));
    return all;
  };

  afterEach(() => app.database.db('sign_in_attempts').delete());

  describe('a code of an app', () => {
    it(`opens one session of ten sign-ins that use it at once`, async () => {
      const person = await withTotp(app);
      const awaiting = await steps(person, 10);
      const code = await person.code();
      const { 200: opened, ...refused } = await race(10, (at) => finish(awaiting[at] as TestMember, { code }));
      expect(opened).to.equal(1);
      expect(refused).to.deep.equal({ 401: 9 });
    });

    it('opens one session for one sign-in, however often it is sent', async () => {
      const person = await withTotp(app);
      const awaiting = await firstStep(app, person);
      const code = await person.code();
      expect((await race(10, () => finish(awaiting, { code })))[200]).to.equal(1);
    });

    it('is worthless after it enrolled the app or confirmed, or after a later code was used', async () => {
      const person = await withTotp(app);
      const code = () => codeAt(person.secret, app.clock.now());
      expectError(await finish(await firstStep(app, person), { code: code() }), 'invalid_login');
      const confirmed = await person.code();
      expect((await person.ui.post(CONFIRM, { code: confirmed })).status).to.equal(200);
      expectError(await finish(await firstStep(app, person), { code: confirmed }), 'invalid_login');
      await person.code();
      expect((await finish(await firstStep(app, person), { code: codeAt(person.secret, app.clock.now(), 1) })).status).to.equal(
        200,
      );
      expectError(await finish(await firstStep(app, person), { code: code() }), 'invalid_login');
    });

    it('of another member opens nothing', async () => {
      const [person, thief] = [await withTotp(app), await withTotp(app)];
      expectError(await finish(await firstStep(app, person), { code: await thief.code() }), 'invalid_login');
      expectError(await finish(await firstStep(app, person), { code: thief.recoveryCodes[0] }), 'invalid_login');
    });

    it('of a removed app opens nothing, even in a sign-in that began before', async () => {
      const person = await withPasskey(app, await withTotp(app));
      const { secret } = person;
      const awaiting = await firstStep(app, person);
      const [{ id }] = (await person.ui.get('/api/ui/me/factors')).body.data.factors;
      expect((await person.ui.delete(`/api/ui/me/factors/${id}`)).status).to.equal(204);
      await app.clock.advance(30_000, app.database.db);
      expectError(await finish(awaiting, { code: codeAt(secret, app.clock.now()) }), 'invalid_login');
    });

    it('cannot be guessed: unknown browsers have twenty attempts an hour, even with new sign-ins in between', async () => {
      const person = await withTotp(app);
      const [first, ...others] = await steps(person, 3);
      for (let tried = 0; tried < 20; tried += 1)
        expectError(await finish((others[tried % 2] ?? first) as TestMember, { code: '000000' }), 'invalid_login');
      const awaiting = await firstStep(app, person);
      expectError(await finish(awaiting, { code: await person.code() }), 'too_many_request');
      await app.clock.advance(61 * 60_000, app.database.db);
      expect((await finish(await firstStep(app, person), { code: await person.code() })).status).to.equal(200);
    });

    it('cannot be guessed in the member’s own browser: ten attempts in 15 minutes, counted apart from passwords', async () => {
      const person = await withTotp(app);
      const opened = await finish(await firstStep(app, person), { code: await person.code() });
      const device =
        opened.headers
          .getSetCookie()
          .find((one) => one.startsWith('svc_device='))
          ?.split(';', 1)[0] ?? '';
      const known = async () => {
        const response = await dashboardClient(app, device).post('/api/ui/login', {
          email: person.member.email,
          password: person.password,
        });
        expect(response.status).to.equal(202);
        return dashboardClient(app, `${cookieOf(response)}; ${rememberSecret('device', device)}`);
      };
      for (let tried = 0; tried < 10; tried += 1)
        expectError(await (await known()).post(FINISH, { code: '000000' }), 'invalid_login');
      expectError(await (await known()).post(FINISH, { code: await person.code() }), 'too_many_request');
    });

    it('cannot be guessed in browsers that were trusted before the factor existed', async () => {
      const plain = await withPassword(app);
      const opened = await logIn(app, plain);
      const device =
        opened.headers
          .getSetCookie()
          .find((one) => one.startsWith('svc_device='))
          ?.split(';', 1)[0] ?? '';
      rememberSecret('device', device);
      await app.clock.advance(1_000, app.database.db);
      const person = await withTotp(app, plain);
      const awaiting = await firstStep(app, person);
      const before = dashboardClient(app, `${awaiting.cookie}; ${device}`);
      for (let tried = 0; tried < 20; tried += 1)
        expectError(await (tried % 2 === 0 ? before : awaiting.ui).post(FINISH, { code: '000000' }), 'invalid_login');
      for (const ui of [before, awaiting.ui])
        expectError(await ui.post(FINISH, { code: await person.code() }), 'too_many_request');
    });

    it('cannot be guessed by confirming: ten attempts in 15 minutes', async () => {
      const person = await withTotp(app);
      for (let tried = 0; tried < 10; tried += 1) expectError(await person.ui.post(CONFIRM, { code: '000000' }), 'invalid_login');
      expectError(await person.ui.post(CONFIRM, { code: await person.code() }), 'too_many_request');
    });

    it('is the only accepted input', async () => {
      const person = await withTotp(app);
      const awaiting = await firstStep(app, person);
      for (const code of ['', ' ', '0', '0'.repeat(64), '1e5', '١٢٣٤٥٦', `${await person.code()}0`, '------', 'null'])
        expect((await finish(awaiting, { code })).status, code).to.be.oneOf([400, 401]);
      for (const body of [
        {},
        { code: null },
        { code: 1 },
        { code: [] },
        { code: 'x', passkey: {} },
        { password: person.password },
      ])
        expectError(await finish(awaiting, body), 'invalid_body');
    });
  });

  describe('a recovery code', () => {
    it(`opens one session of ten sign-ins that use it at once`, async () => {
      const person = await withTotp(app);
      const awaiting = await steps(person, 10);
      const { 200: opened } = await race(10, (at) => finish(awaiting[at] as TestMember, { code: person.recoveryCodes[0] }));
      expect(opened).to.equal(1);
      expect((await person.ui.get('/api/ui/me/factors')).body.data.recovery_codes_left).to.equal(9);
    });

    it('does not reduce the new codes if it is replaced while it is used', async () => {
      const person = await withTotp(app);
      const awaiting = await firstStep(app, person);
      const [made, used] = await Promise.all([
        person.ui.post('/api/ui/me/recovery-codes'),
        finish(awaiting, { code: person.recoveryCodes[0] }),
      ]);
      for (const one of made.body.data.recovery_codes) rememberSecret('recovery code', one);
      expect(used.status).to.be.oneOf([200, 401]);
      expect((await person.ui.get('/api/ui/me/factors')).body.data.recovery_codes_left).to.equal(10);
    });
  });
});
