import { expect } from 'chai';
import { auditPage } from '../../core/journal/audit-trail/trail.ts';
import { verifyAudit } from '../../core/journal/audit-trail/verify.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { signedInAs } from '../support/dashboard/members.ts';
import type { Client } from '../support/http-client.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { useEach } from '../support/use.ts';

const ADDRESSES = {
  authorization_url: 'https://one.example/authorize',
  token_url: 'https://one.example/token',
  api_base_url: 'https://one.example',
};
const SCRIPT = { source: 'export default async () => {};', language: 'javascript' };

describe('a change by an API key or a member (ACC-01)', function () {
  const app = useEach(this, startApp);

  const mustBe200 = async (call: ReturnType<Client['get']>) => {
    const { status, text, body } = await call;
    expect(status, text).to.be.oneOf([200, 204]);
    return body;
  };
  /** Returns the entries of the audit trail, oldest first. */
  const recorded = async () => {
    const { entries } = await auditPage(app.services.db, { accountId: 1 }, { limit: 100 });
    return entries.toReversed();
  };
  const remember = (secret: string) => ({ client_id: 'client', client_secret: secret });

  it('is recorded with the key’s name and address, and with the names of the members in the request', async () => {
    const { api } = app;
    const credentials = { type: 'OAUTH2', ...remember(canary('client secret')) };
    const created = { unique_key: 'one', provider: 'generic-oauth', credentials, integration_config: ADDRESSES };
    await mustBe200(api.post('/integrations', created));
    await mustBe200(api.patch('/integrations/one', { display_name: 'One', credentials: remember(canary('another')) }));
    await mustBe200(api.put('/integrations/one/scripts/post-connection-creation', SCRIPT));
    await mustBe200(api.patch('/integrations/one/scripts/post-connection-creation', { enabled: false }));
    await mustBe200(api.delete('/integrations/one/scripts/post-connection-creation'));
    await storeConnection(app, { key: 'one', connectionId: 'first' });
    await mustBe200(api.patch('/connections/first?provider_config_key=one', { tags: { plan: 'team' } }));
    const override = { webhook_url_override: 'https://hooks.example/first', tags: { plan: 'team' } };
    await mustBe200(api.patch('/connections/first?provider_config_key=one', override));
    await mustBe200(api.delete('/connections/first?provider_config_key=one'));
    await mustBe200(api.delete('/integrations/one'));

    const entries = await recorded();
    const given = ['unique_key', 'provider', 'credentials.type', 'credentials.client_id', 'credentials.client_secret'];
    const config = Object.keys(ADDRESSES).map((name) => `integration_config.${name}`);
    expect(entries.map(({ action, subject, facts }) => [action, subject.id, facts])).to.deep.equal([
      ['integration.create', 'one', { provider: 'generic-oauth', given: [...given, ...config] }],
      [
        'integration.update',
        'one',
        { given: ['display_name', 'credentials.client_id', 'credentials.client_secret'], unique_key: 'one' },
      ],
      ['script.deploy', 'post-connection-creation', { integration: 'one', version: 1 }],
      ['script.update', 'post-connection-creation', { integration: 'one', enabled: false }],
      ['script.delete', 'post-connection-creation', { integration: 'one' }],
      ['connection.update', 'first', { given: ['webhook_url_override'], integration: 'one' }],
      ['connection.delete', 'first', { integration: 'one' }],
      ['integration.delete', 'one', {}],
    ]);
    for (const { actor, address, environmentId } of entries) {
      expect(actor).to.include({ kind: 'api_key', name: 'Default - Full access' });
      expect([address, environmentId]).to.deep.equal(['127.0.0.1', 1]);
    }
    expect(await verifyAudit(app.services)).to.include({ verified: entries.length });
  });

  it('is in the operation log of the environment, too, in words', async () => {
    const { ui, member } = await signedInAs(app, 'admin');
    await mustBe200(
      ui.post('/api/ui/e/dev/integrations', { unique_key: 'one', provider: 'generic-oauth', integration_config: ADDRESSES }),
    );
    await mustBe200(app.api.put('/integrations/one/scripts/post-connection-creation', SCRIPT));
    await storeConnection(app, { key: 'one', connectionId: 'first' });
    await mustBe200(ui.post('/api/ui/e/dev/connections/first/reveal?provider_config_key=one'));
    const { data } = await mustBe200(app.api.get('/logs?type=admin&integration=one'));
    const by = { kind: 'member', id: String(member.id), name: member.email };
    expect(data.map((one: Record<string, unknown>) => [one['operation'], one['summary'], one['connection_id']])).to.deep.equal([
      ['connection.reveal', 'the credentials of the connection first were read', 'first'],
      ['script.deploy', 'the script post-connection-creation was deployed', null],
      ['integration.create', 'the integration Generic OAuth 2.0 was created', null],
    ]);
    expect(data.map(({ actor }: { actor: { kind: string } }) => actor.kind)).to.deep.equal(['member', 'api_key', 'member']);
    expect((await mustBe200(app.api.get(`/logs/${data[0].id}`))).data).to.deep.include({ status: 'success', actor: by });
    expect((await mustBe200(app.api.get('/logs?search=credentials%20first'))).data).to.have.length(1);
  });

  it('is recorded for keys and environments, and outlives them', async () => {
    const account = app.client(app.accountKey);
    const { data: environment } = await mustBe200(account.post('/environments', { name: 'prod', is_production: true }));
    const key = { environment_id: environment.id, display_name: 'backend', scopes: ['environment:proxy'] };
    const { data: made } = await mustBe200(account.post('/environment/api-keys', key));
    const named = { environment_id: environment.id, key_id: made.id };
    await mustBe200(account.call('DELETE', '/environment/api-keys', { body: named }));
    await mustBe200(account.delete(`/environments/${environment.id}`));
    const entries = await recorded();
    expect(
      entries.map(({ action, environmentId, subject, facts }) => [action, environmentId, subject.name, facts]),
    ).to.deep.equal([
      ['environment.create', environment.id, 'prod', { is_production: true }],
      ['api_key.create', environment.id, 'backend', { scopes: ['environment:proxy'], expires_at: null }],
      ['api_key.revoke', environment.id, 'backend', {}],
      ['environment.delete', environment.id, 'prod', {}],
    ]);
  });

  it('is recorded for reconnect links of members, not for those of the application', async () => {
    const { ui } = await signedInAs(app, 'developer');
    await storeIntegration(app.api, 'one');
    await storeConnection(app, { key: 'one', connectionId: 'first' });
    const wanted = { connection_id: 'first', integration_id: 'one', allow_account_change: true };
    for (const { status } of [
      await app.api.post('/connect/sessions/reconnect', wanted),
      await ui.post('/api/ui/e/dev/connect/sessions/reconnect', wanted),
    ])
      expect(status).to.equal(201);
    const links = (await recorded()).filter(({ action }) => action === 'connection.reconnect_link');
    expect(links.map(({ subject, facts }) => [subject.id, facts])).to.deep.equal([
      ['first', { integration: 'one', allow_account_change: true }],
    ]);
    expect(links[0]?.actor.kind).to.equal('member');
  });

  it('is recorded for members by their e-mail, with the secrets that they reveal', async () => {
    const { ui, member } = await signedInAs(app, 'admin');
    const created = { unique_key: 'one', provider: 'generic-oauth', integration_config: ADDRESSES };
    await mustBe200(ui.post('/api/ui/e/dev/integrations', created));
    await storeConnection(app, { key: 'one', connectionId: 'first' });
    await mustBe200(ui.post('/api/ui/e/dev/connections/first/reveal?provider_config_key=one'));
    const entries = await recorded();
    expect(entries.map(({ action, subject }) => [action, subject.id])).to.deep.equal([
      ['integration.create', 'one'],
      ['connection.reveal', 'first'],
    ]);
    for (const { actor, environmentId } of entries)
      expect([actor, environmentId]).to.deep.equal([{ kind: 'member', id: String(member.id), name: member.email }, 1]);
  });

  it('is not recorded when it is refused or repeated, and not done when it cannot be recorded', async () => {
    const { api } = app;
    const integration = { unique_key: 'basic', provider: 'generic-oauth' };
    const once = { headers: { 'idempotency-key': 'once' } };
    const quick = { unique_key: 'two', provider: 'generic-oauth', integration_config: ADDRESSES };
    expect((await api.post('/integrations', { ...integration, provider: 'unknown' })).status).to.equal(400);
    expect((await api.delete('/integrations/nowhere')).status).to.equal(404);
    const first = await api.call('POST', '/integrations', { ...once, body: quick });
    const second = await api.call('POST', '/integrations', { ...once, body: quick });
    expect([first.status, second.text]).to.deep.equal([200, first.text]);
    expect((await recorded()).map(({ action }) => action)).to.deep.equal(['integration.create']);

    await app.services.db.raw('alter table audit_head disable trigger user; delete from audit_head');
    const account = app.client(app.accountKey);
    expect((await account.post('/environments', { name: 'unrecorded' })).status).to.equal(500);
    expect((await api.patch('/integrations/two', { display_name: 'Other' })).status).to.equal(500);
    expect((await api.delete('/integrations/two')).status).to.equal(500);
    const { data: environments } = await mustBe200(account.get('/environments'));
    const { data: integrations } = await mustBe200(api.get('/integrations'));
    expect(environments.map(({ name }: { name: string }) => name)).to.deep.equal(['dev']);
    expect(integrations.map((one: Record<string, unknown>) => one['display_name'])).not.to.include('Other');
    expect(integrations).to.have.length(1);
  });
});
