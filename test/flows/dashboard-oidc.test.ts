import { expect } from 'chai';
import { auditPage } from '../../core/journal/audit-trail/trail.ts';
import { insertMember, memberByEmail } from '../../core/tenants/members/member-store.ts';
import { startApp } from '../support/app.ts';
import { changeStoredMember, dashboardClient, signedInAs } from '../support/dashboard/members.ts';
import { freePort } from '../support/free-port.ts';
import { walkConsent } from '../support/honest-provider/consent.ts';
import { startHonestProvider } from '../support/honest-provider/honest-provider.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

const ADA = { email: 'Ada@acme.example', email_verified: true, name: 'Ada Lovelace', groups: ['staff'] };

describe('signing in by OpenID Connect', function () {
  const claims: Record<string, unknown> = {};
  const started = async () => {
    await using opened = new AsyncDisposableStack();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const redirectUris = [`${url}/api/ui/oidc/callback`];
    const provider = opened.use(await startHonestProvider({ redirectUris, claims }));
    const { clientId, clientSecret } = provider.clients.basic;
    const env = {
      PORT: String(port),
      SVC_BASE_URL: url,
      SVC_OIDC_ISSUER: provider.url,
      SVC_OIDC_CLIENT_ID: clientId,
      SVC_OIDC_CLIENT_SECRET: clientSecret,
      SVC_OIDC_NAME: 'Acme ID',
      SVC_OIDC_ALLOWED_DOMAINS: 'acme.example, acme.test',
      SVC_OIDC_ADMIN_GROUP: 'admins',
      SVC_OIDC_ONLY: 'on',
    };
    const app = opened.use(await startApp({ env }));
    const closing = opened.move();
    return { app, [Symbol.asyncDispose]: () => closing.disposeAsync() };
  };
  const setting = use(this, started);

  /**
   * Signs in through the identity provider.
   *
   * @param said the claims about the person
   * @param asked changes the query of the authorization request
   */
  async function signIn(said: object, { query = '', walker = new WebWalker(), asked = (_: URLSearchParams) => {} } = {}) {
    for (const name of Object.keys(claims)) delete claims[name];
    Object.assign(claims, said);
    const { app } = setting;
    const start = await walker.visit(`${app.url}/api/ui/oidc/start${query}`);
    const authorization = new URL(start.headers.get('location') ?? '');
    asked(authorization.searchParams);
    const callback = await walkConsent(walker, authorization.href);
    const page = await walker.visit(callback);
    return { location: page.headers.get('location')?.replace(app.url, ''), callback, walker };
  }

  async function me(walker: WebWalker) {
    const { app } = setting;
    return (await dashboardClient(app, walker.cookies(new URL(app.url).origin)).get('/api/ui/me')).body.data;
  }

  it('is offered in place of passwords', async () => {
    const ui = dashboardClient(setting.app);
    expect((await ui.get('/api/ui/setup')).body.data).to.include({ password: false });
    expect((await ui.get('/api/ui/setup')).body.data.oidc).to.deep.equal({ name: 'Acme ID' });
    expectError(await ui.post('/api/ui/login', { email: ADA.email, password: 'any' }), 'forbidden');
  });

  it('is shown to admins without the secret of its client', async () => {
    const { ui } = await signedInAs(setting.app, 'admin');
    const { body, text } = await ui.get('/api/ui/account/instance');
    const { passwords, provider } = body.data.sign_in;
    expect(passwords).to.equal(false);
    expect(provider).to.deep.include({ name: 'Acme ID', allowed_domains: ['acme.example', 'acme.test'], admin_group: 'admins' });
    expect(provider.issuer).to.match(/^http:\/\/127\.0\.0\.1:/);
    expect(text).not.to.match(/secret/i);
    await setting.app.services.db('members').delete();
  });

  it('creates a member for a person with a verified e-mail of an allowed domain, and leads to the requested page', async () => {
    const { location, walker } = await signIn(ADA, { query: '?return=%2Fe%2Fdev%2Flogs%3Ftype%3Dauth' });
    expect(location).to.equal('/e/dev/logs?type=auth');
    expect(await me(walker)).to.include({ name: ADA.name, email: 'ada@acme.example', role: 'viewer', has_password: false });
  });

  it('grants and withdraws the role of admin by the group of admins', async () => {
    const { db } = setting.app.services;
    const other = await insertMember(setting.app.services, { accountId: 1, name: 'Bo', email: 'bo@acme.example', role: 'admin' });
    const promoted = await signIn({ ...ADA, groups: ['admins'] });
    expect((await me(promoted.walker)).role).to.equal('admin');
    expect((await me((await signIn(ADA)).walker)).role).to.equal('developer');
    // The session that was opened with the former role has ended.
    expect(await db('member_sessions')).to.have.length(1);
    expect(await db('members')).to.have.length(2);
    await db('members').where({ id: other.id }).delete();
  });

  it('is recorded in the audit trail, with the members and roles that it changed', async () => {
    const { entries } = await auditPage(setting.app.services.db, { accountId: 1 }, { limit: 6 });
    const by = 'identity provider';
    expect(entries.toReversed().map(({ action, facts }) => [action, facts])).to.deep.equal([
      ['member.join', { role: 'viewer', by }],
      ['member.sign_in', {}],
      ['member.update', { role: 'admin', by }],
      ['member.sign_in', {}],
      ['member.update', { role: 'developer', by }],
      ['member.sign_in', {}],
    ]);
  });

  it('keeps the last admin an admin, whatever the groups are', async () => {
    const promoted = await signIn({ ...ADA, groups: ['admins'] });
    expect((await me((await signIn(ADA)).walker)).role).to.equal('admin');
    expect((await me(promoted.walker)).role, 'the role in the earlier session').to.equal('admin');
  });

  for (const [who, said] of Object.entries({
    'whose e-mail is of another domain': { ...ADA, email: 'eve@evil.example' },
    'whose e-mail only ends like it': { ...ADA, email: 'eve@evilacme.example' },
    'whose e-mail is not verified': { ...ADA, email_verified: false },
    'without an e-mail': { groups: ['admins'] },
  })) {
    it(`refuses a person ${who}`, async () => {
      const { location, walker } = await signIn(said);
      expect(location).to.equal('/login?problem=oidc_refused');
      expect(walker.cookies(new URL(setting.app.url).origin)).not.to.contain('svc_session=');
    });
  }

  it('links the member who has that e-mail already', async () => {
    const { db } = setting.app.services;
    await db('members').delete();
    await insertMember(setting.app.services, { accountId: 1, name: 'Ada', email: 'ada@acme.example', role: 'developer' });
    expect((await me((await signIn(ADA)).walker)).role).to.equal('developer');
    expect((await memberByEmail(setting.app.services, 'ada@acme.example'))?.oidc_subject).to.equal('ada');
  });

  it('refuses a person with the e-mail of a member who is linked to another subject', async () => {
    const { db } = setting.app.services;
    const { id } = await db('members').first('id');
    await changeStoredMember(setting.app.services, id, { oidc_subject: 'an-earlier-ada' });
    expect((await signIn(ADA)).location).to.equal('/login?problem=oidc_refused');
    await db('members').delete();
  });

  it('asks a member with a second factor for it, and keeps the requested page', async () => {
    const { db } = setting.app.services;
    const { walker } = await signIn(ADA);
    const { id } = await db('members').first('id');
    await changeStoredMember(setting.app.services, id, { has_factor: true });
    const { location } = await signIn(ADA, { walker, query: '?return=%2Fe%2Fdev%2Flogs' });
    expect(await db('member_sessions').select('awaits_factor').orderBy('id'), 'the earlier session stays valid').to.deep.equal([
      { awaits_factor: false },
      { awaits_factor: true },
    ]);
    expect(location).to.equal('/login/factor?return=%2Fe%2Fdev%2Flogs');
    const ui = dashboardClient(setting.app, walker.cookies(new URL(setting.app.url).origin));
    expectError(await ui.get('/api/ui/me'), 'signed_out');
    expect((await ui.get('/api/ui/login/factor')).body.data.email).to.equal('ada@acme.example');
    await db('members').delete();
  });

  it('does not confirm a person whom the provider only recognized, and ends the session that it replaces', async () => {
    const { walker } = await signIn(ADA);
    const silent = await signIn(ADA, { walker });
    expect((await me(silent.walker)).confirmed_until).to.equal(null);
    expect(await setting.app.database.db('member_sessions').select('confirmed_until')).to.deep.equal([{ confirmed_until: null }]);
  });

  it('confirms a person who signs in anew at the provider, for ten minutes', async () => {
    const { walker } = await signIn(ADA);
    const { ui } = await signedInAs(setting.app, 'viewer');
    expect((await signIn(ADA, { walker, query: '?anew=true&return=%2Fe%2Fdev%2Fhome' })).location).to.equal('/e/dev/home');
    expect(new Date((await me(walker)).confirmed_until).getTime()).to.be.closeTo(
      setting.app.clock.now().getTime() + 600_000,
      60_000,
    );
    expect((await ui.get('/api/ui/me')).status, 'the session of another member').to.equal(200);
  });

  for (const [what, asked] of Object.entries({
    'does not say when the person signed in': (query: URLSearchParams) => {
      query.delete('prompt');
      query.delete('max_age');
    },
    'says that the person signed in before': (query: URLSearchParams) => {
      query.delete('prompt');
      query.set('max_age', '86400');
    },
  })) {
    it(`does not confirm a person when the identity provider ${what}`, async () => {
      const { walker } = await signIn(ADA);
      await setting.app.clock.advance(120_000);
      expect((await signIn(ADA, { walker, query: '?anew=true', asked })).location).to.equal('/login?problem=oidc_not_anew');
      expect((await me(walker)).confirmed_until).to.equal(null);
    });
  }

  it('redirects to no other site', async () => {
    const others = ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'];
    const dotted = ['/.//evil.example/x', '/e/..//evil.example', '/%2e//evil.example', '/.\\/evil.example'];
    for (const wanted of [...others, ...dotted])
      expect((await signIn(ADA, { query: `?return=${encodeURIComponent(wanted)}` })).location, wanted).to.equal('/');
  });

  it('uses the e-mail as the name of a person whose name would reverse the text around it', async () => {
    await setting.app.services.db('members').delete();
    expect((await me((await signIn({ ...ADA, name: 'A\u202eda' })).walker)).name).to.equal('ada@acme.example');
  });

  it('accepts no callback twice, and none from another browser', async () => {
    const { callback, walker } = await signIn(ADA);
    for (const browser of [walker, new WebWalker()])
      expect((await browser.visit(callback)).headers.get('location')).to.equal(`${setting.app.url}/login?problem=oidc_failed`);
  });
});
