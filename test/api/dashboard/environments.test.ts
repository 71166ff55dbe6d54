import { expect } from 'chai';
import { createAccount } from '../../../core/tenants/environments/bootstrap.ts';
import { startApp } from '../../support/app.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { use } from '../../support/use.ts';

const PATH = '/api/ui/environments';

describe('changes to environments, in the dashboard', function () {
  const app = use(this, () => startApp());
  let admin: TestMember;

  before(async () => {
    admin = await signedInAs(app, 'admin');
  });

  const add = async (name: string) => {
    const made = await admin.ui.post(PATH, { name, is_production: false });
    expect(made.status, made.text).to.equal(201);
    return made.body.data.api_key as string;
  };
  const change = (name: string, changes: object) => admin.ui.patch(`${PATH}/${name}`, changes);
  const settingsOf = async (name: string) => (await admin.ui.get(`/api/ui/e/${name}/settings`)).body.data;

  it('renames an environment, whose keys and ID stay', async () => {
    const key = await add('staging');
    const { uuid } = await settingsOf('staging');
    const renamed = await change('staging', { name: 'pre-live' });
    expect(renamed.body, renamed.text).to.deep.equal({ data: { uuid, name: 'pre-live', is_production: false } });
    expect(await settingsOf('pre-live')).to.include({ uuid, name: 'pre-live' });
    expectError(await admin.ui.get('/api/ui/e/staging/settings'), 'not_found');
    expect((await app.client(key).get('/connections')).status).to.equal(200);
    await add('staging');
  });

  it('refuses a name that is taken or invalid, and keeps the old one', async () => {
    await add('first');
    expectError(await change('first', { name: 'dev' }), 'conflict');
    expectError(await change('first', { name: 'Live!' }), 'invalid_body');
    expect(await settingsOf('first')).to.include({ name: 'first' });
    expect((await change('first', { name: 'first' })).status).to.equal(200);
  });

  it('responds for an environment of another account as for one that does not exist', async () => {
    await createAccount(app.services, 'other');
    await app.services.db('environments').whereNot({ account_id: 1 }).update({ name: 'theirs' });
    const [theirs, none] = [await change('theirs', { name: 'mine' }), await change('none00', { name: 'mine' })];
    expectError(theirs, 'not_found');
    expect(theirs.text.replaceAll('theirs', 'none00')).to.equal(none.text);
  });

  it('turns an environment into production once nothing in it belongs to the sandbox', async () => {
    const key = await add('shop');
    const api = app.client(key);
    await api.post('/integrations', { unique_key: 'toy', provider: 'sandbox-api-key' });
    await admin.ui.patch('/api/ui/e/shop/settings', { webhook_url: 'inbox' });
    const whyNot = async () => {
      const refused = await change('shop', { is_production: true });
      expectError(refused, 'conflict');
      return refused.body.error.message;
    };
    expect(await whyNot()).to.contain('delete these integrations first: toy');
    await api.delete('/integrations/toy');
    expect(await whyNot()).to.contain('no inbox');
    expect(await settingsOf('shop')).to.include({ is_production: false });
    await admin.ui.patch('/api/ui/e/shop/settings', { webhook_url: null });
    expect((await change('shop', { is_production: true })).status).to.equal(200);
    expect(await settingsOf('shop')).to.include({ is_production: true, inbox_url: null });
    expectError(await api.post('/integrations', { unique_key: 'toy', provider: 'sandbox-api-key' }), 'forbidden');
  });

  it('asks for the password where the secrets of production are opened to developers, and records who did it', async () => {
    const other = await signedInAs(app, 'admin');
    await app.services.db('member_sessions').where({ member_id: other.member.id }).update({ confirmed_until: null });
    expectError(await other.ui.patch(`${PATH}/shop`, { is_production: false }), 'password_needed');
    expect((await other.ui.patch(`${PATH}/shop`, { is_production: true })).status).to.equal(200);
    expect((await change('shop', { is_production: false })).status).to.equal(200);
    const [last] = await app.services.db('audit_entries').orderBy('sequence', 'desc').limit(1);
    expect(last).to.include({ action: 'environment.update', subject_name: 'shop', actor_id: String(admin.member.id) });
    expect(last.facts).to.deep.equal({ changed: ['is_production'], is_production: false });
  });
});
