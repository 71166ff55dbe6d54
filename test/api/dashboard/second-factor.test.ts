import { expect } from 'chai';
import { startApp } from '../../support/app.ts';
import { rememberSecret } from '../../support/canaries.ts';
import {
  askForPasskey,
  beginPasskey,
  byName,
  codeAt,
  cookieOf,
  firstStep,
  logIn,
  withPasskey,
  withPassword,
  withTotp,
} from '../../support/dashboard/factors.ts';
import { dashboardClient, sessionOf, signedInAs } from '../../support/dashboard/members.ts';
import { freePort } from '../../support/free-port.ts';
import { expectError } from '../../support/std-error.ts';
import { use } from '../../support/use.ts';

const REVEAL = '/api/ui/e/dev/webhooks/signing-key/reveal';

describe('a second factor', function () {
  const app = use(this, async () => startApp({ env: byName(await freePort()) }));
  const recorded = async (id: number) => {
    const entries = await app.database
      .db('audit_entries')
      .where({ actor_id: String(id) })
      .orderBy('sequence');
    return entries.map(({ action, facts }) => [action, facts]);
  };

  it('is enrolled as an app by its first code, which creates ten recovery codes and ends all other sessions', async () => {
    const person = await withPassword(app);
    const other = await sessionOf(app, person.member);
    const { recoveryCodes } = await withTotp(app, person);
    expect(recoveryCodes).to.have.length(10);
    for (const code of recoveryCodes) expect(code).to.match(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    expectError(await other.ui.get('/api/ui/me'), 'signed_out');
    const me = await person.ui.get('/api/ui/me');
    expect(me.body.data).to.deep.include({ factor_kinds: ['totp'], must_enrol: false });
    const { body } = await person.ui.get('/api/ui/me/factors');
    expect(body.data).to.deep.include({ recovery_codes_left: 10, no_passkeys: null });
    expect(body.data.factors[0]).to.deep.include({ kind: 'totp', name: 'Authenticator app', last_used_at: null });
    expect(await recorded(person.member.id)).to.deep.equal([
      ['member.factor_add', { factor: 'totp', name: 'Authenticator app' }],
    ]);
  });

  it('is asked for after the password, and until then nothing is open', async () => {
    const person = await withTotp(app);
    const awaiting = await firstStep(app, person);
    for (const path of ['/api/ui/me', '/api/ui/me/sessions', '/api/ui/me/factors', '/api/ui/e/dev/connections'])
      expectError(await awaiting.ui.get(path), 'signed_out');
    const { body } = await awaiting.ui.get('/api/ui/login/factor');
    expect(body.data).to.deep.equal({ awaits: 'factor', email: person.member.email, factor_kinds: ['totp'] });
    const finished = await awaiting.ui.post('/api/ui/login/factor', { code: await person.code() });
    expect(finished.status).to.equal(200);
    expect(finished.body.data).to.deep.include({ email: person.member.email, has_password: true });
    const cookie = cookieOf(finished);
    expect(cookie).to.not.equal(awaiting.cookie);
    expectError(await awaiting.ui.get('/api/ui/me'), 'signed_out');
    expect((await dashboardClient(app, cookie).post(REVEAL)).status).to.equal(200);
    const sessions = await person.ui.get('/api/ui/me/sessions');
    expect(sessions.body.data).to.have.length(2);
    expect((await recorded(person.member.id)).at(-2)).to.deep.equal(['member.sign_in', { factor: 'totp' }]);
  });

  it('keeps a person signed in for 30 days only on request', async () => {
    const person = await withTotp(app);
    for (const keep of [true, false]) {
      const awaiting = await firstStep(app, person, { keep });
      const { headers } = await awaiting.ui.post('/api/ui/login/factor', { code: await person.code() });
      const cookie = headers.getSetCookie().find((one) => one.startsWith('svc_session=')) ?? '';
      expect(cookie.includes('Max-Age=2592000'), cookie).to.equal(keep);
    }
  });

  it('is awaited for ten minutes', async () => {
    const person = await withTotp(app);
    const awaiting = await firstStep(app, person);
    await app.clock.advance(10 * 60_000, app.database.db);
    expectError(await awaiting.ui.post('/api/ui/login/factor', { code: await person.code() }), 'signed_out');
  });

  it('can be canceled', async () => {
    const awaiting = await firstStep(app, await withTotp(app));
    expect((await awaiting.ui.post('/api/ui/logout')).status).to.equal(204);
    const actions = (await recorded(awaiting.member.id)).map(([action]) => action);
    expect(actions, 'nobody has signed in, so nobody out').to.deep.equal(['member.factor_add']);
    expectError(await awaiting.ui.get('/api/ui/login/factor'), 'signed_out');
  });

  it('is replaced by a recovery code, however it is typed, which works once', async () => {
    const person = await withTotp(app);
    const [first = '', second = ''] = person.recoveryCodes;
    const awaiting = await firstStep(app, person);
    expect(
      (
        await awaiting.ui.post('/api/ui/login/factor', {
          code: ` ${first.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')} `,
        })
      ).status,
    ).to.equal(200);
    const again = await firstStep(app, person);
    expectError(await again.ui.post('/api/ui/login/factor', { code: first }), 'invalid_login');
    expect((await again.ui.post('/api/ui/login/factor', { code: second })).status).to.equal(200);
    expect((await person.ui.get('/api/ui/me/factors')).body.data.recovery_codes_left).to.equal(8);
    expect((await recorded(person.member.id)).slice(-2)).to.deep.equal([
      ['member.recovery_code_use', { left: 8 }],
      ['member.sign_in', { factor: 'recovery' }],
    ]);
  });

  it('is a passkey as well, at sign-in and as a confirmation', async () => {
    const person = await withPasskey(app, await withPassword(app));
    const awaiting = await firstStep(app, person);
    expect((await awaiting.ui.get('/api/ui/login/factor')).body.data.factor_kinds).to.deep.equal(['passkey']);
    const passkey = person.authenticator.assert({ challenge: await askForPasskey(awaiting), origin: app.url });
    const finished = await awaiting.ui.post('/api/ui/login/factor', { passkey });
    expect(finished.status, JSON.stringify(finished.body)).to.equal(200);
    await app.clock.advance(11 * 60_000, app.database.db);
    const ui = dashboardClient(app, cookieOf(finished));
    expectError(await ui.post(REVEAL), 'password_needed');
    const confirmation = person.authenticator.assert({ challenge: await askForPasskey({ ...person, ui }), origin: app.url });
    expect((await ui.post('/api/ui/me/confirm', { passkey: confirmation })).status).to.equal(200);
    expect((await ui.post(REVEAL)).status).to.equal(200);
  });

  it('confirms in place of the password, which does not suffice then', async () => {
    const person = await withTotp(app);
    await app.clock.advance(11 * 60_000, app.database.db);
    const { ui, password } = person;
    expectError(await ui.post('/api/ui/me/confirm', { password }), 'conflict');
    expectError(await ui.put('/api/ui/me/password', { current: password, password: 'another horse battery' }), 'password_needed');
    expectError(await ui.post(REVEAL), 'password_needed');
    expectError(await ui.post('/api/ui/me/confirm', { code: '000000' }), 'invalid_login');
    expect((await ui.post('/api/ui/me/confirm', { code: await person.code() })).status).to.equal(200);
    expect((await ui.post(REVEAL)).status).to.equal(200);
    await app.clock.advance(11 * 60_000, app.database.db);
    expect((await ui.post('/api/ui/me/confirm', { code: person.recoveryCodes[0] })).status).to.equal(200);
    expect((await recorded(person.member.id)).at(-1)).to.deep.equal(['member.recovery_code_use', { left: 9 }]);
  });

  it('is asked for anew before one is enrolled or removed, or recovery codes are created', async () => {
    const plain = await withPassword(app);
    const person = await withTotp(app);
    await app.clock.advance(11 * 60_000, app.database.db);
    expectError(await plain.ui.post('/api/ui/me/factors/totp'), 'password_needed');
    expectError(await plain.ui.post('/api/ui/me/factors/passkeys'), 'password_needed');
    const { id } = (await person.ui.get('/api/ui/me/factors')).body.data.factors[0];
    expectError(await person.ui.delete(`/api/ui/me/factors/${id}`), 'password_needed');
    expectError(await person.ui.post('/api/ui/me/recovery-codes'), 'password_needed');
  });

  it('is removed; with the last one the recovery codes are deleted, and the password suffices again', async () => {
    const person = await withPasskey(app, await withTotp(app));
    const ids = async () => (await person.ui.get('/api/ui/me/factors')).body.data.factors.map(({ id }: { id: number }) => id);
    const [totp, passkey] = await ids();
    expect((await person.ui.delete(`/api/ui/me/factors/${totp}`)).status).to.equal(204);
    const awaiting = await firstStep(app, person);
    expect((await person.ui.delete(`/api/ui/me/factors/${passkey}`)).status).to.equal(204);
    expectError(await awaiting.ui.get('/api/ui/login/factor'), 'signed_out');
    expectError(await person.ui.delete(`/api/ui/me/factors/${passkey}`), 'not_found');
    expect((await person.ui.get('/api/ui/me/factors')).body.data).to.deep.include({ factors: [], recovery_codes_left: null });
    expect((await logIn(app, person)).status).to.equal(200);
    expectError(await person.ui.post('/api/ui/me/recovery-codes'), 'conflict');
    expect((await recorded(person.member.id)).filter(([action]) => action === 'member.factor_remove')).to.have.length(2);
  });

  it('gets new recovery codes in place of the old ones', async () => {
    const person = await withTotp(app);
    const { status, body } = await person.ui.post('/api/ui/me/recovery-codes');
    expect(status).to.equal(201);
    for (const one of body.data.recovery_codes) rememberSecret('recovery code', one);
    const awaiting = await firstStep(app, person);
    expectError(await awaiting.ui.post('/api/ui/login/factor', { code: person.recoveryCodes[0] }), 'invalid_login');
    expect((await awaiting.ui.post('/api/ui/login/factor', { code: body.data.recovery_codes[9] })).status).to.equal(200);
  });

  it('may be one app only, and a code without an app is refused', async () => {
    const person = await withTotp(app);
    expectError(await person.ui.post('/api/ui/me/factors/totp'), 'conflict');
    expectError(await person.ui.post('/api/ui/me/factors/totp/confirm', { code: await person.code() }), 'conflict');
    const { body } = await (await withPassword(app)).ui.post('/api/ui/me/factors/totp/confirm', { code: '000000' });
    expect(body.error.code).to.equal('conflict');
  });

  it('can be begun again after a wrong code, within ten minutes', async () => {
    const person = await withPassword(app);
    const { secret } = (await person.ui.post('/api/ui/me/factors/totp')).body.data;
    rememberSecret('secret of an app', secret);
    for (const code of ['000000', '１２３４５６', 'abcdeé', '١٢٣٤٥٦'])
      expectError(await person.ui.post('/api/ui/me/factors/totp/confirm', { code }), 'invalid_login');
    await app.clock.advance(10 * 60_000, app.database.db);
    const again = await sessionOf(app, person.member);
    expectError(await again.ui.post('/api/ui/me/factors/totp/confirm', { code: codeAt(secret, app.clock.now()) }), 'conflict');
  });

  it('is only for members who sign in by password, since others have it at their identity provider', async () => {
    const person = await signedInAs(app, 'admin');
    expectError(await person.ui.post('/api/ui/me/factors/totp'), 'conflict');
    expectError(await person.ui.post('/api/ui/me/factors/passkeys'), 'conflict');
  });

  it('is shown to admins in the list of members, without details', async () => {
    const person = await withTotp(app);
    const admin = await signedInAs(app, 'admin');
    const { members } = (await admin.ui.get('/api/ui/account/members')).body.data;
    const found = (id: number) => members.find((one: { id: number }) => one.id === id).has_factor;
    expect([found(person.member.id), found(admin.member.id)]).to.deep.equal([true, false]);
  });

  it('may be up to twenty passkeys per person', async () => {
    const person = await withPasskey(app, await withPassword(app));
    for (let count = 1; count < 20; count += 1) await withPasskey(app, person);
    expectError(await person.ui.post('/api/ui/me/factors/passkeys'), 'conflict');
  });
});

describe('a passkey', function () {
  const byAddress = use(this, () => startApp());

  it('is not offered at an IP address, for which browsers create none, and the page says why', async () => {
    const person = await withPassword(byAddress);
    expect((await person.ui.get('/api/ui/me/factors')).body.data.no_passkeys).to.equal('ip_address');
    const refused = await person.ui.post('/api/ui/me/factors/passkeys');
    expectError(refused, 'conflict');
    expect(refused.body.error.message).to.contain('domain name');
  });
});

for (const [required, roles] of [
  ['admins', { admin: true, developer: false }],
  ['all', { admin: true, developer: true }],
] as const)
  describe(`SVC_REQUIRE_MFA=${required}`, function () {
    const app = use(this, async () => startApp({ env: { ...byName(await freePort()), SVC_REQUIRE_MFA: required } }));

    for (const [role, isRequired] of Object.entries(roles))
      it(`${isRequired ? 'lets' : 'does not make'} ${role}s without a factor ${isRequired ? 'enrol one and nothing else' : 'enrol one'}`, async () => {
        const person = await withPassword(app, role as 'admin');
        const signedIn = await logIn(app, person);
        expect(signedIn.status).to.equal(200);
        expect(signedIn.body.data.must_enrol).to.equal(isRequired);
        const ui = dashboardClient(app, cookieOf(signedIn));
        expect((await ui.get('/api/ui/me')).status).to.equal(200);
        const opened = await ui.get('/api/ui/e/dev/connections');
        if (!isRequired) return expect(opened.status).to.equal(200);
        expectError(opened, 'factor_needed');
        expectError(await ui.post(REVEAL), 'factor_needed');
        expectError(await ui.get('/api/ui/me/sessions'), 'factor_needed');
        expectError(await ui.put('/api/ui/me/password', { current: 'x', password: 'y' }), 'factor_needed');
        await withTotp(app, { ...person, ui });
        expect((await ui.get('/api/ui/e/dev/connections')).status).to.equal(200);
        expect((await ui.get('/api/ui/me')).body.data.must_enrol).to.equal(false);
      });

    it('closes everything again to a member who removes the last factor', async () => {
      const person = await withPassword(app, 'admin');
      await withPasskey(app, person);
      const { id } = (await person.ui.get('/api/ui/me/factors')).body.data.factors[0];
      expect((await person.ui.delete(`/api/ui/me/factors/${id}`)).status).to.equal(204);
      expectError(await person.ui.get('/api/ui/account/members'), 'factor_needed');
      expect(await beginPasskey(person)).to.be.a('string');
    });

    it('does not apply to members who sign in by an identity provider only', async () => {
      const person = await signedInAs(app, 'admin');
      expect((await person.ui.get('/api/ui/account/members')).status).to.equal(200);
    });

    it('is shown to admins among the settings of the instance', async () => {
      const person = await signedInAs(app, 'admin');
      const { body } = await person.ui.get('/api/ui/account/instance');
      expect(body.data.sign_in.second_factor).to.equal(required);
    });
  });
