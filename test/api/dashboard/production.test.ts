import { expect } from 'chai';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { CONFIG } from '../../support/integration-bodies.ts';
import { expectError } from '../../support/std-error.ts';
import { use } from '../../support/use.ts';
import { startScriptedService } from '../../support/user-scripts.ts';

const EVENT = 'post-connection-creation';
const INTEGRATION = '/api/ui/e/dev/integrations/fake';
const SCRIPT = `${INTEGRATION}/scripts/${EVENT}`;
const source = `export default async (svc) => svc.log(await svc.getVariable('SECRET'));`;

describe('an environment for production, in the dashboard', function () {
  const service = use(this, () => startScriptedService());
  let developer: TestMember;
  let admin: TestMember;
  let connectionId = '';

  before(async () => {
    const { db } = service.app.services;
    developer = await signedInAs(service.app, 'developer');
    admin = await signedInAs(service.app, 'admin');
    ({ connectionId } = await service.connect());
    await service.deploy(EVENT, source);
    await db('environments').where({ name: 'dev' }).update({ is_production: true });
  });

  const confirm = (until: Date | null) =>
    service.app.services.db('member_sessions').where({ member_id: admin.member.id }).update({ confirmed_until: until });
  const testRun = ({ ui }: TestMember) => ui.post(`${SCRIPT}/test`, { connection_id: connectionId, version: 1 });
  const deploy = ({ ui }: TestMember) => ui.put(SCRIPT, { source, language: 'typescript' });
  const redirect = ({ ui }: TestMember) => ui.patch(INTEGRATION, { integration_config: { allowed_hosts: 'evil.example' } });

  it('lets developers read its scripts, but neither change nor test them', async () => {
    expect((await developer.ui.get(`${INTEGRATION}/scripts`)).status).to.equal(200);
    expect((await developer.ui.get(`${SCRIPT}/runs`)).status).to.equal(200);
    const refused = [
      await deploy(developer),
      await developer.ui.patch(SCRIPT, { enabled: false }),
      await developer.ui.delete(SCRIPT),
      await testRun(developer),
    ];
    for (const response of refused) {
      expectError(response, 'forbidden');
      expect(response.body.error.message).to.match(
        /^your role \(developer\) may not .*environment:scripts:write.*; ask an admin$/,
      );
    }
    expect((await developer.ui.get(`${INTEGRATION}/scripts`)).body.data[0]).to.include({ version: 1, enabled: true });
  });

  it('does not let developers send its credentials elsewhere', async () => {
    const response = await redirect(developer);
    expectError(response, 'forbidden');
    expect(response.body.error.message).to.match(/^your role \(developer\) may not .*allowed_hosts.*; ask an admin$/);
    expect((await developer.ui.patch(INTEGRATION, { display_name: 'Ours' })).status).to.equal(200);
  });

  it('does not let developers send the client secret elsewhere either, even without connections', async () => {
    const integration = { unique_key: 'unused', provider: 'generic-oauth', integration_config: CONFIG };
    expectError(await developer.ui.post('/api/ui/e/dev/integrations', integration), 'forbidden');
    expect((await service.app.api.post('/integrations', integration)).status, 'with an API key').to.equal(200);
    const moved = { integration_config: { token_url: 'https://evil.example/token' } };
    expectError(await developer.ui.patch('/api/ui/e/dev/integrations/unused', moved), 'forbidden');
    expect((await service.app.api.patch('/integrations/unused', moved)).status, 'with an API key').to.equal(200);
  });

  it('does not let developers send its authorization codes elsewhere', async () => {
    const settings = '/api/ui/e/dev/settings';
    const change = ({ ui }: TestMember) => ui.patch(settings, { callback_url: 'https://app.acme.example/callback' });
    expectError(await change(developer), 'forbidden');
    expect((await developer.ui.patch(settings, { on_refresh: true })).status).to.equal(200);
    await confirm(null);
    expectError(await change(admin), 'password_needed');
    await confirm(new Date(service.app.clock.now().getTime() + 60_000));
    expect((await change(admin)).status).to.equal(200);
    expect((await admin.ui.patch(settings, { callback_url: null })).status).to.equal(200);
  });

  it('asks admins for the password before changes by which secrets could be read', async () => {
    await confirm(null);
    for (const attempt of [deploy, testRun, redirect]) expectError(await attempt(admin), 'password_needed');
    expect((await admin.ui.patch(INTEGRATION, { display_name: 'Mine' })).status).to.equal(200);
    await confirm(new Date(service.app.clock.now().getTime() + 60_000));
    for (const attempt of [testRun, deploy, redirect]) expect((await attempt(admin)).status).to.equal(200);
  });

  it('asks admins for the password before they create a key by which secrets could be read', async () => {
    await confirm(null);
    const keyWith = (scope: string) => admin.ui.post('/api/ui/e/dev/keys', { name: scope, scopes: [`environment:${scope}`] });
    for (const scope of ['variables:read', 'proxy:override', 'scripts:write', 'connections:*'])
      expectError(await keyWith(scope), 'password_needed');
    expect((await keyWith('logs:read')).status).to.equal(201);
  });
});
