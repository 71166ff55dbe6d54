import { expect } from 'chai';
import type { ScriptEvent } from '../../../core/scripts/event.ts';
import { canary } from '../../support/canaries.ts';
import { readConnection } from '../../support/connect.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { use } from '../../support/use.ts';
import { startScriptedService } from '../../support/user-scripts.ts';

const CREATION = 'post-connection-creation';

describe('test runs of scripts', function () {
  const service = use(this, () => startScriptedService());
  let developer: TestMember;
  let connectionId = '';

  before(async () => {
    developer = await signedInAs(service.app, 'developer');
    ({ connectionId } = await service.connect());
  });

  const test = (event: ScriptEvent, body: object = {}) =>
    developer.ui.post(`/api/ui/e/dev/integrations/fake/scripts/${event}/test`, {
      connection_id: connectionId,
      version: 1,
      ...body,
    });

  it('call the provider, show their calls, and write nothing', async () => {
    await service.deploy(
      CREATION,
      `export default async (svc) => {
         const { data } = await svc.get({ endpoint: '/me?page=1' });
         svc.log('read', { name: data.name });
         return svc.updateMetadata({ name: data.name });
       };`,
    );
    const { status, body } = await test(CREATION);
    expect(status).to.equal(200);
    expect(body.data).to.deep.include({ status: 'done', cause: null, error: null, result: { name: 'Ada' } });
    expect(body.data.log[0]).to.deep.include({ level: 'info', message: 'read', facts: { name: 'Ada' } });
    const [proxied, written] = body.data.calls;
    expect(proxied).to.include({ name: 'proxy', method: 'GET', endpoint: '/me', status: 200 });
    expect(written).to.deep.include({ name: 'updateMetadata', metadata: { name: 'Ada' } });
    const address = { connectionId, key: 'fake' };
    expect((await readConnection(service.app, address)).body.metadata).to.deep.equal({});
    expect(await service.runs(CREATION), 'none that counts').to.deep.equal([]);
  });

  it('are in the audit trail and in the operation log, as runs of the member with calls of the script', async () => {
    await service.app.services.activity.flush();
    const db = service.app.services.db;
    const run = await db('operation_log').where({ type: 'script', operation: CREATION }).first();
    expect(run).to.include({ actor_kind: 'member', status: 'success', connection_id: connectionId });
    const proxied = await db('operation_log').where({ type: 'proxy', connection_id: connectionId }).first();
    expect(proxied).to.include({ actor_kind: 'script', actor_id: `fake/${CREATION}`, actor_name: CREATION });
    const { subject_id, facts } = await db('audit_entries').where({ action: 'script.test' }).first();
    expect({ subject_id, ...facts }).to.include({ subject_id: CREATION, version: 1, connection_id: connectionId });
  });

  it('end with the error of a script that fails, without secrets', async () => {
    const secret = canary('webhook secret');
    await service.app.api.patch('/integrations/fake', { credentials: { webhook_secret: secret } });
    await service.deploy(
      CREATION,
      `export default async (svc) => { throw new Error('no: ' + (await svc.getIntegration()).webhook_secret); };`,
    );
    const { body, text } = await test(CREATION, { version: 2 });
    expect(body.data).to.include({ status: 'failed', cause: 'script_error' });
    expect(body.data.error).to.match(/^Error: no: /);
    expect(text).to.not.contain(secret);
  });

  it('pass a webhook to a script for webhooks, and delete nothing for a script for deletions', async () => {
    await service.deploy(
      'on-webhook',
      `export const webhookSubscriptions = ['*']; export const onWebhook = async (_, event) => event;`,
    );
    const webhook = { type: 'issue.created', payload: { id: 7 } };
    const { body } = await test('on-webhook', { webhook });
    expect(body.data.result).to.deep.equal({ ...webhook, headers: {}, verified: true });
    await service.deploy('pre-connection-deletion', `export default async (svc) => (await svc.getConnection()).connection_id;`);
    expect((await test('pre-connection-deletion')).body.data.result).to.equal(connectionId);
    expect((await readConnection(service.app, { connectionId, key: 'fake' })).status).to.equal(200);
  });

  it('are refused if something is missing or the member may not run them', async () => {
    expectError(await test('on-webhook'), 'invalid_body');
    expectError(await test(CREATION, { webhook: { type: '', payload: null } }), 'invalid_body');
    expectError(await test(CREATION, { version: 9 }), 'not_found');
    expectError(await test('validate-connection'), 'not_found');
    expectError(await test(CREATION, { connection_id: 'nobody' }), 'unknown_connection');
    const { ui } = await signedInAs(service.app, 'viewer');
    const path = `/api/ui/e/dev/integrations/fake/scripts/${CREATION}/test`;
    expectError(await ui.post(path, { connection_id: connectionId, version: 1 }), 'forbidden');
  });
});
