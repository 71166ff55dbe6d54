import { expect } from 'chai';
import { auditPage } from '../../../core/journal/audit-trail/trail.ts';
import { startApp } from '../../support/app.ts';
import { canary } from '../../support/canaries.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { storeIntegration } from '../../support/stored.ts';
import { use } from '../../support/use.ts';

const IMPORT = '/api/ui/e/dev/connections/import';
const SESSIONS = '/api/ui/e/dev/connect/sessions';

describe('adding connections in the dashboard', function () {
  const app = use(this, () => startApp());
  let developer: TestMember;
  let viewer: TestMember;
  const credentials = {
    type: 'OAUTH2',
    access_token: canary('imported access token'),
    refresh_token: canary('imported refresh'),
  };
  const body = { provider_config_key: 'acme', connection_id: 'ada', credentials, tags: { end_user_id: 'u-1' } };

  before(async () => {
    developer = await signedInAs(app, 'developer');
    viewer = await signedInAs(app, 'viewer');
    await storeIntegration(app.api, 'acme');
  });
  beforeEach(async () => {
    await app.services.db('connections').delete();
  });

  const stored = () => app.services.db('connections').select('connection_id', 'tags');
  const imports = async () => {
    const { entries } = await auditPage(app.services.db, { accountId: 1 }, { limit: 100 });
    return entries.filter(({ action }) => action === 'connection.import').toReversed();
  };

  it('imports credentials, does not return them, and records who did it', async () => {
    const before = await imports();
    const { status, text, body: answer } = await developer.ui.post(IMPORT, body);
    expect(status, text).to.equal(200);
    expect(answer.data).to.include({ connection_id: 'ada', provider_config_key: 'acme' });
    expect(answer.data.credentials).to.deep.equal({});
    expect(text).to.not.contain(credentials.access_token).and.not.contain(credentials.refresh_token);
    const { body: read } = await app.api.get('/connections/ada?provider_config_key=acme');
    expect(read.credentials.access_token).to.equal(credentials.access_token);
    const [entry, ...others] = (await imports()).slice(before.length);
    expect(others).to.deep.equal([]);
    expect(entry?.actor).to.include({ kind: 'member', name: developer.member.email });
    expect(entry?.subject).to.include({ type: 'connection', id: 'ada' });
    const given = ['provider_config_key', 'credentials', 'connection_id', 'tags'];
    expect(entry?.facts['integration']).to.equal('acme');
    expect(entry?.facts['given']).to.have.members(given);
  });

  it('replaces the credentials of an existing connection, and keeps what the request does not name', async () => {
    await developer.ui.post(IMPORT, body);
    const { tags: _, ...rest } = body;
    const access_token = canary('second access token');
    await developer.ui.post(IMPORT, { ...rest, credentials: { type: 'OAUTH2', access_token } });
    expect(await stored()).to.deep.equal([{ connection_id: 'ada', tags: { end_user_id: 'u-1' } }]);
    const { body: read } = await app.api.get('/connections/ada?provider_config_key=acme');
    expect(read.credentials.access_token).to.equal(access_token);
  });

  it('names what is wrong with an import, stores nothing and records nothing', async () => {
    const before = await imports();
    const cases: readonly [object, Parameters<typeof expectError>[1], string][] = [
      [{ credentials: { ...credentials, access_token: '' } }, 'invalid_body', 'credentials.access_token'],
      [{ credentials: { ...credentials, raw: {} } }, 'invalid_body', 'credentials.raw'],
      [{ credentials: { type: 'API_KEY', apiKey: 'k' } }, 'invalid_body', 'credentials.type'],
      [{ credentials: { type: 'JWT' } }, 'invalid_body', 'credentials.type'],
      [{ tags: { end_user_email: 'nobody' } }, 'invalid_body', 'tags.end_user_email'],
      [{ metadata: [] }, 'invalid_body', 'metadata'],
      [{ other: 1 }, 'invalid_body', ''],
      [{ provider_config_key: 'nowhere' }, 'unknown_provider_config', ''],
    ];
    for (const [part, code, path] of cases) {
      const response = await developer.ui.post(IMPORT, { ...body, ...part });
      expectError(response, code);
      const named = (response.body.error.errors ?? []).map((one: { path: string[] }) => one.path.join('.'));
      if (path !== '') expect(named, JSON.stringify(part)).to.include(path);
    }
    expect(await stored()).to.deep.equal([]);
    expect(await imports()).to.have.lengthOf(before.length);
  });

  it('creates a link for the chosen tags and integration', async () => {
    const { status, body: made } = await developer.ui.post(SESSIONS, { allowed_integrations: ['acme'], tags: body.tags });
    expect(status).to.equal(201);
    expect(new URL(made.data.connect_link).hash).to.equal(`#${made.data.token}`);
    expect(Date.parse(made.data.expires_at) - Date.now()).to.be.within(25 * 60_000, 30 * 60_000);
    expectError(await developer.ui.post(SESSIONS, { tags: { end_user_email: 'nobody' } }), 'invalid_body');
    expectError(await developer.ui.post(SESSIONS, { allowed_integrations: ['nowhere'] }), 'unknown_provider_config');
  });

  it('is not possible for viewers, and not through endpoints without a record', async () => {
    for (const path of [IMPORT, SESSIONS]) expectError(await viewer.ui.post(path, body), 'forbidden');
    expectError(await developer.ui.post('/api/ui/e/dev/connections', body), 'method_not_allowed');
    expect(await stored()).to.deep.equal([]);
  });

  it('is stored together with its record, or not at all', async () => {
    await app.services.db.raw('alter table audit_head disable trigger user; delete from audit_head');
    expect((await developer.ui.post(IMPORT, body)).status).to.equal(500);
    expect(await stored()).to.deep.equal([]);
  });
});
