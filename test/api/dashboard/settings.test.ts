import { expect } from 'chai';
import { ENVIRONMENT_SCOPES } from '../../../core/tenants/api-keys/scopes.ts';
import { startApp } from '../../support/app.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { serve } from '../../support/loopback-server.ts';
import { expectError } from '../../support/std-error.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const E = '/api/ui/e/dev';

describe('settings of the dashboard', function () {
  const app = use(this, () => startApp());
  /**
   * A customer's server. It responds with the status in the path of the request and redirects to svc's callback URL with the
   * request's query, or without it (`dropped`), or to another host (`elsewhere`).
   */
  const customer = use(this, () =>
    serve((request, response) => {
      const url = new URL(request.url ?? '', 'http://customer.example');
      const [, status = '', how = ''] = url.pathname.split('/');
      const target = how === 'elsewhere' ? 'https://elsewhere.example/cb' : `${app.url}/oauth/callback`;
      const location = how === 'dropped' ? target : target + url.search;
      response.writeHead(Number(status), Number(status) < 300 ? {} : { location }).end();
    }),
  );
  let admin: TestMember;
  let developer: TestMember;

  before(async () => {
    admin = await signedInAs(app, 'admin');
    developer = await signedInAs(app, 'developer');
    await app.services.db('environments').insert({ account_id: 1, name: 'live', is_production: true });
  });

  const unconfirm = ({ member }: TestMember) =>
    app.services.db('member_sessions').where({ member_id: member.id }).update({ confirmed_until: null });
  const newKey = async (scopes: readonly string[], more: object = {}) => {
    const made = await admin.ui.post(`${E}/keys`, { name: `key ${Math.random()}`, scopes, ...more });
    expect(made.status, made.text).to.equal(201);
    return made.body.data as { id: number; secret: string; name: string };
  };
  const session = (key: string) => app.client(key).post('/connect/sessions', { tags: { end_user_id: 'u1' } });
  /**
   * Waits until a key is refused. The notice of its revocation may take two seconds; the limit is four times as long because
   * other tests run at the same time.
   */
  const expectEnded = (key: string) => until('the key is refused', async () => (await session(key)).status === 401, 8_000);

  it('changes URLs and toggles of an environment, and nothing that was not sent', async () => {
    const changed = await developer.ui.patch(`${E}/settings`, {
      callback_url: 'https://app.acme.example/oauth',
      webhook_url: 'inbox',
      on_new_connection: true,
    });
    expect(changed.status, changed.text).to.equal(200);
    const { data } = (await developer.ui.get(`${E}/settings`)).body;
    expect(data).to.deep.equal(changed.body.data);
    expect(data).to.include({
      effective_callback_url: 'https://app.acme.example/oauth',
      on_new_connection: true,
      on_refresh: false,
    });
    expect(data.webhook_url).to.equal(data.inbox_url);
    const cleared = await developer.ui.patch(`${E}/settings`, { callback_url: null });
    expect(cleared.body.data).to.include({ callback_url: null, effective_callback_url: `${app.url}/oauth/callback` });
    expect(cleared.body.data.webhook_url).to.equal(data.inbox_url);
  });

  it('refuses addresses to which no messages would be sent, and the inbox for production', async () => {
    expectError(await admin.ui.patch(`${E}/settings`, { webhook_url: 'http://10.1.2.3/hook' }), 'forbidden');
    expectError(await admin.ui.patch('/api/ui/e/live/settings', { webhook_url: 'inbox' }), 'forbidden');
    expectError(await admin.ui.patch(`${E}/settings`, { callback_url: 'ftp://a.example/' }), 'invalid_body');
  });

  it('takes the address of the inbox for the inbox, even if no message may be sent to loopback', async () => {
    await using strict = await startApp({ env: { SVC_OUTBOUND_ALLOW: '' } });
    const { ui } = await signedInAs(strict, 'developer');
    const { inbox_url: inbox } = (await ui.get(`${E}/settings`)).body.data;
    const kept = await ui.patch(`${E}/settings`, { webhook_url: inbox, on_deletion: true });
    expect(kept.body.data, kept.text).to.include({ webhook_url: inbox, on_deletion: true });
    expectError(await ui.patch(`${E}/settings`, { webhook_url: `${inbox}0` }), 'forbidden');
  });

  const CALLBACKS: Readonly<Record<string, string>> = {
    '308/kept': 'right',
    '302/kept': 'wrong_status',
    '308/dropped': 'query_dropped',
    '308/elsewhere': 'leads_elsewhere',
    '200/kept': 'no_redirect',
  };
  for (const [path, verdict] of Object.entries(CALLBACKS)) {
    it(`reports for a callback URL that responds with ${path}: ${verdict}`, async () => {
      const found = await developer.ui.post(`${E}/callback-url/check`, { callback_url: `${customer.url}/${path}?own=1` });
      expect(found.body.data).to.include({ verdict, expected: `${app.url}/oauth/callback`, status: Number(path.split('/')[0]) });
    });
  }

  it('says why callback URLs cannot be called, without calling private addresses', async () => {
    const verdictOf = async (body: object) => (await developer.ui.post(`${E}/callback-url/check`, body)).body.data.verdict;
    expect(await verdictOf({})).to.equal('own');
    expect(await verdictOf({ callback_url: 'http://10.1.2.3/cb' })).to.equal('not_allowed');
    expect(await verdictOf({ callback_url: 'https://nowhere.localhost:1/cb' })).to.equal('not_reachable');
  });

  it('creates a key with the chosen scope, which is shown once', async () => {
    const { id, secret } = await newKey(['environment:connect_sessions:write'], { expires_at: '2099-01-01T00:00:00Z' });
    expect((await session(secret)).status).to.equal(201);
    expectError(await app.client(secret).post('/connections', {}), 'forbidden');
    const list = await developer.ui.get(`${E}/keys`);
    expect(list.text).not.to.contain(secret);
    const listed = list.body.data.find((one: { id: number }) => one.id === id);
    expect(listed).to.deep.include({ scopes: ['environment:connect_sessions:write'], expires_at: '2099-01-01T00:00:00.000Z' });
    expect(listed).to.include({ last4: secret.slice(-4), created_by: admin.member.name });
    expect(list.body.data[0]).to.include({ created_by: 'svc' });
  });

  it('keeps a rolled key valid for the chosen time, and ends a revoked key at once', async () => {
    const old = await newKey(['environment:connect_sessions:write']);
    const rolled = await admin.ui.post(`${E}/keys/${old.id}/roll`, { overlap_seconds: 3_600 });
    const { id, secret, name, last4, created_by } = rolled.body.data;
    expect([name, last4, created_by]).to.deep.equal([old.name, secret.slice(-4), admin.member.name]);
    expect([(await session(old.secret)).status, (await session(secret)).status]).to.deep.equal([201, 201]);
    app.clock.advance(3_601_000);
    expect((await session(old.secret)).status).to.equal(401);
    expectError(await admin.ui.post(`${E}/keys/${old.id}/roll`, { overlap_seconds: 0 }), 'conflict');
    const again = await admin.ui.post(`${E}/keys/${id}/roll`, { overlap_seconds: 0 });
    await expectEnded(secret);
    expect((await session(again.body.data.secret)).status).to.equal(201);
    expect((await developer.ui.delete(`${E}/keys/${again.body.data.id}`)).status).to.equal(204);
    await expectEnded(again.body.data.secret);
    expectError(await admin.ui.post(`${E}/keys/${again.body.data.id}/roll`, { overlap_seconds: 0 }), 'not_found');
    expectError(await admin.ui.post(`${E}/keys/${id}/roll`, { overlap_seconds: 5 }), 'invalid_body');
  });

  it('asks for the password before a key that reads credentials, the signing key, or an environment', async () => {
    const fresh = await signedInAs(app, 'admin');
    const calls: readonly (readonly [string, object | undefined])[] = [
      [`${E}/keys`, { name: 'full', scopes: ['environment:*'] }],
      [`${E}/keys`, { name: 'reader', scopes: ['environment:connections:read_credentials'] }],
      [`${E}/webhooks/signing-key/reveal`, undefined],
      [`${E}/webhooks/signing-key/rotate`, undefined],
      ['/api/ui/environments', { name: 'staging', is_production: false }],
      ['/api/ui/account/keys', { name: 'acc', scopes: ['account:*'] }],
      ['/api/ui/account/invitations', { email: 'a@acme.example', role: 'admin' }],
    ];
    await unconfirm(fresh);
    for (const [path, body] of calls) expectError(await fresh.ui.post(path, body), 'password_needed');
  });

  it('leaves the secrets of production to admins', async () => {
    const live = '/api/ui/e/live';
    const key = { name: 'narrow', scopes: [ENVIRONMENT_SCOPES[2]] };
    expectError(await developer.ui.post(`${live}/keys`, key), 'forbidden');
    expectError(await developer.ui.post(`${live}/webhooks/signing-key/reveal`), 'forbidden');
    const another = await signedInAs(app, 'admin');
    expect((await another.ui.post(`${live}/keys`, key)).status).to.equal(201);
  });

  it('rotates the signing key once a day; both sign meanwhile', async () => {
    const fresh = await signedInAs(app, 'developer');
    const before = (await fresh.ui.post(`${E}/webhooks/signing-key/reveal`)).body.data;
    const after = (await fresh.ui.post(`${E}/webhooks/signing-key/rotate`)).body.data;
    expect(after.secret).not.to.equal(before.secret);
    expect(after.old_signs_until).to.be.a('string');
    expectError(await fresh.ui.post(`${E}/webhooks/signing-key/rotate`), 'conflict');
  });

  it('does not show the values of variables', async () => {
    expect((await developer.ui.put(`${E}/variables/REGION`, { value: 'canary-eu-1' })).status).to.equal(204);
    const list = await developer.ui.get(`${E}/variables`);
    expect(list.body.data).to.deep.equal([{ name: 'REGION' }]);
    expect((await app.api.get('/environment-variables')).body).to.deep.equal([{ name: 'REGION', value: 'canary-eu-1' }]);
    expect((await fetch(new URL(`${E}/environment-variables`, app.url), { headers: { cookie: admin.cookie } })).status).to.equal(
      404,
    );
    expect((await developer.ui.delete(`${E}/variables/REGION`)).status).to.equal(204);
    expectError(await developer.ui.delete(`${E}/variables/REGION`), 'not_found');
    expectError(await developer.ui.put(`${E}/variables/1X`, { value: '' }), 'invalid_uri_params');
  });

  it('sets the look of the connect pages, with the contrast of the colour', async () => {
    const look = {
      brand_name: 'Acme',
      brand_color: '#FFEE00',
      brand_radius: 8,
      brand_theme: 'dark',
      brand_language: 'ja',
      allowed_origins: ['https://App.acme.example/', 'https://app.acme.example'],
      return_urls: [],
    };
    const { data } = (await developer.ui.patch(`${E}/connect-ui`, look)).body;
    expect(data).to.include({ brand_color: '#ffee00', brand_theme: 'dark', brand_language: 'ja', brand_radius: 8 });
    expect(data.contrast).to.be.at.least(4.5);
    expect(data.allowed_origins).to.deep.equal(['https://app.acme.example']);
    expect(data.frame_ancestors).to.include("'self'");
    const { data: after } = (await developer.ui.patch(`${E}/connect-ui`, { brand_radius: 9 })).body;
    expect(after).to.deep.equal({ ...data, brand_radius: 9 });
    for (const fault of [
      { brand_color: 'red' },
      { brand_radius: 33 },
      { brand_language: 'sv' },
      { allowed_origins: ['https://a.example/path'] },
    ])
      expectError(await developer.ui.patch(`${E}/connect-ui`, { ...look, ...fault }), 'invalid_body');
  });

  it('creates an environment with its key, and deletes any but the last', async () => {
    const fresh = await signedInAs(app, 'admin');
    const made = await fresh.ui.post('/api/ui/environments', { name: 'staging', is_production: false });
    expect((await session(made.body.data.api_key)).status).to.equal(201);
    for (const name of ['staging', 'live']) expect((await fresh.ui.delete(`/api/ui/environments/${name}`)).status).to.equal(204);
    expect((await session(made.body.data.api_key)).status).to.equal(401);
    expectError(await fresh.ui.delete('/api/ui/environments/staging'), 'not_found');
    expectError(await fresh.ui.delete('/api/ui/environments/dev'), 'conflict');
  });

  it('invites people, changes their roles with immediate effect, and removes them', async () => {
    const boss = await signedInAs(app, 'admin');
    const invitation = { email: 'Grace@acme.example', role: 'developer' };
    const made = await boss.ui.post('/api/ui/account/invitations', invitation);
    expect(made.body.data.link).to.match(/\/join#token=.{20}/);
    const list = async () => (await boss.ui.get('/api/ui/account/members')).body.data;
    expect((await list()).invitations).to.have.length(1);
    expectError(await boss.ui.post('/api/ui/account/invitations', { ...invitation, email: boss.member.email }), 'conflict');
    expect((await boss.ui.delete('/api/ui/account/invitations/grace@acme.example')).status).to.equal(204);
    expect((await list()).invitations).to.deep.equal([]);

    const other = await signedInAs(app, 'developer');
    const path = `/api/ui/account/members/${other.member.id}`;
    expect((await boss.ui.patch(path, { role: 'viewer' })).status).to.equal(204);
    expectError(await other.ui.put(`${E}/variables/A`, { value: '' }), 'signed_out');
    expect((await boss.ui.delete(path)).status).to.equal(204);
    expectError(await boss.ui.delete(path), 'not_found');
  });

  it('records who created keys and changed settings and members, without secrets', async () => {
    const entries = await app.services.db('audit_entries').where({ account_id: 1, actor_kind: 'member' });
    expect(entries.map(({ action }) => action)).to.include.members([
      'environment.create',
      'environment.delete',
      'member.invite',
      'member.remove',
      'member.uninvite',
      'member.update',
      'api_key.create',
      'api_key.revoke',
      'environment.update',
      'webhook_secret.reveal',
      'webhook_secret.rotate',
    ]);
  });

  it('keeps the last admin', async () => {
    const boss = await signedInAs(app, 'admin');
    await app.services.db('members').where({ role: 'admin' }).whereNot({ id: boss.member.id }).delete();
    const path = `/api/ui/account/members/${boss.member.id}`;
    expectError(await boss.ui.patch(path, { role: 'viewer' }), 'conflict');
    expectError(await boss.ui.delete(path), 'conflict');
    expect((await boss.ui.post(`${path}/password-link`)).status).to.equal(201);
    const instance = (await boss.ui.get('/api/ui/account/instance')).body.data;
    expect(instance).to.deep.include({
      base_url: app.url,
      version: '1.0.0',
      ...{ log_retention_days: 15, log_max_mb: 4096 },
      company_logos: 'own',
      sign_in: { passwords: true, second_factor: 'off', provider: null },
    });
  });

  it('shows these entries to admins, page after page', async () => {
    const boss = await signedInAs(app, 'admin');
    const page = async (query: string) => (await boss.ui.get(`/api/ui/account/audit${query}`)).body;
    const revealed = await page('?action=webhook_secret.reveal');
    expect(revealed.data[0]).to.deep.include({ environment: 'dev', action: 'webhook_secret.reveal' });
    expect(new Set(revealed.data.map(({ action }: { action: string }) => action)).size).to.equal(1);
    const row = { account_id: 1, actor_kind: 'system', action: 'account.create', subject_type: 'account', facts: '{}' };
    const [{ sequence, key_id }] = await app.services.db('audit_entries').orderBy('sequence', 'desc').limit(1);
    const macs = { previous_mac: Buffer.alloc(32), mac: Buffer.alloc(32), key_id };
    const more = Array.from({ length: 60 }, (_, at) => ({ ...row, ...macs, at: new Date(), sequence: sequence + 1 + at }));
    await app.services.db('audit_entries').insert(more);
    const first = await page('');
    const second = await page(`?cursor=${first.next_cursor}`);
    expect(first.data).to.have.length(50);
    expect(second.data[0].sequence).to.equal(first.data.at(-1).sequence - 1);
    expectError(await boss.ui.get('/api/ui/account/audit?cursor=x'), 'invalid_query_params');
  });
});
