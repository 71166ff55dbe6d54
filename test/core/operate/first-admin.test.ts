import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { auditPage } from '../../../core/journal/audit-trail/trail.ts';
import { prepareFirstAdmin } from '../../../core/operate/first-admin.ts';
import { hashPassword } from '../../../core/tenants/members/password.ts';
import { startApp } from '../../support/app.ts';
import { canary, rememberSecret } from '../../support/canaries.ts';
import { changeStoredMember, dashboardClient } from '../../support/dashboard/members.ts';
import { makeFolders } from '../../support/folders.ts';
import { use } from '../../support/use.ts';

const EMAIL = 'Ada@acme.example';

describe('the first admin at a start', function () {
  const app = use(this, startApp);
  const password = canary('password of the settings');
  const folders = use(this, async () =>
    makeFolders({ password: `${password}\n`, hash: await hashPassword(password), short: 'short' }),
  );

  const prepare = (file?: string) => {
    const given = file === undefined ? {} : { SVC_ADMIN_EMAIL: EMAIL, SVC_ADMIN_PASSWORD_FILE: join(folders.path, file) };
    return prepareFirstAdmin(
      app.services,
      { SVC_BASE_URL: app.url, ...given } as Parameters<typeof prepareFirstAdmin>[1],
      folders.path,
    );
  };
  const signIn = async () => (await dashboardClient(app).post('/api/ui/login', { email: EMAIL, password })).status;

  it('is invited by a setup link, whose token is in a file that only the operator can read', async () => {
    const link = await prepare();
    const file = join(folders.path, 'setup-token');
    const token = rememberSecret('setup token', (await readFile(file, 'utf8')).trim());
    expect(link).to.equal(`${app.url}/setup#token=${token}`);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it('is not created with a bad password', async () => {
    let message = '';
    await prepare('short').catch((error: Error) => {
      ({ message } = error);
    });
    expect(message).to.equal('SVC_ADMIN_PASSWORD_FILE must have 12 to 128 characters');
  });

  for (const file of ['password', 'hash']) {
    it(`is created from the settings with a file that holds the ${file}`, async () => {
      await app.database.db('members').delete();
      expect(await prepare(file)).to.equal(undefined);
      expect(await signIn()).to.equal(200);
      const [, made] = (await auditPage(app.database.db, { accountId: 'all' }, { limit: 2 })).entries;
      expect(made).to.deep.include({ action: 'member.join', actor: { kind: 'system', id: null, name: null } });
      expect(made?.subject).to.include({ type: 'member', name: EMAIL });
    });
  }

  it('may be an existing member, who becomes an admin with the password of the settings', async () => {
    const { db } = app.database;
    const { id } = await db('members').first('id');
    await changeStoredMember(app.services, id, { role: 'viewer', password: null });
    expect(await prepare('password')).to.equal(undefined);
    expect(await db('members').select('role')).to.deep.equal([{ role: 'admin' }]);
    expect(await signIn()).to.equal(200);
  });

  it('is not set up while an admin exists, and the file of the token is removed', async () => {
    expect(await readdir(folders.path)).to.include('setup-token');
    expect(await prepare()).to.equal(undefined);
    expect(await readdir(folders.path)).not.to.include('setup-token');
    expect(await prepare('password')).to.equal(undefined);
    expect(await app.database.db('members')).to.have.length(1);
  });
});
