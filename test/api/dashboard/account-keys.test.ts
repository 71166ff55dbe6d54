import { expect } from 'chai';
import { startApp } from '../../support/app.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

const KEYS = '/api/ui/account/keys';

describe('keys of the account, in the dashboard', function () {
  const app = use(this, () => startApp());
  let admin: TestMember;
  const statusWith = async (key: string) => (await app.client(key).get('/environments')).status;
  const made = async (name: string) => (await admin.ui.post(KEYS, { name, scopes: ['account:*'] })).body.data;

  beforeEach(async () => {
    admin = await signedInAs(app, 'admin');
  });

  it('are rolled: the new one has the name and the scopes, the old one stays valid for the chosen time', async () => {
    const [kept, ended] = [await made('kept'), await made('ended')];
    const newer = await admin.ui.post(`${KEYS}/${kept.id}/roll`, { overlap_seconds: 3600 });
    expect(newer.status, newer.text).to.equal(201);
    expect(newer.body.data).to.deep.include({ name: 'kept', scopes: ['account:*'], expires_at: null });
    const last = await admin.ui.post(`${KEYS}/${ended.id}/roll`, { overlap_seconds: 0 });
    for (const [key, status] of [
      [kept, 200],
      [newer.body.data, 200],
      [ended, 401],
      [last.body.data, 200],
    ])
      expect(await statusWith(key.secret)).to.equal(status);
  });

  it('open the account until they are revoked', async () => {
    const { id, secret } = await made('short-lived');
    expect(await statusWith(secret)).to.equal(200);
    expect((await admin.ui.delete(`${KEYS}/${id}`)).status).to.equal(204);
    await until('the key is refused', async () => (await statusWith(secret)) === 401, 8_000);
  });

  it('cannot be rolled without a fresh password, once revoked, or by the keys of an environment', async () => {
    const key = await made('other');
    const roll = () => admin.ui.post(`${KEYS}/${key.id}/roll`, { overlap_seconds: 0 });
    expectError(await admin.ui.post(`/api/ui/e/dev/keys/${key.id}/roll`, { overlap_seconds: 0 }), 'not_found');
    await app.services.db('member_sessions').where({ member_id: admin.member.id }).update({ confirmed_until: null });
    expectError(await roll(), 'password_needed');
    const fresh = await signedInAs(app, 'admin');
    expect((await fresh.ui.delete(`${KEYS}/${key.id}`)).status).to.equal(204);
    expectError(await fresh.ui.post(`${KEYS}/${key.id}/roll`, { overlap_seconds: 0 }), 'not_found');
  });

  it('are recorded with the keys that they replace, without an environment', async () => {
    const key = await made('traced');
    const newer = (await admin.ui.post(`${KEYS}/${key.id}/roll`, { overlap_seconds: 86_400 })).body.data;
    const entry = await app.services.db('audit_entries').orderBy('sequence', 'desc').first();
    expect(entry).to.deep.include({ action: 'api_key.create', environment_id: null, subject_id: String(newer.id) });
    expect(entry?.facts).to.deep.equal({ scopes: ['account:*'], replaces: key.id, overlap_seconds: 86_400 });
  });
});
