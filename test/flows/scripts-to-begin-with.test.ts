import { join } from 'node:path';
import { expect } from 'chai';
import type { ScriptEvent } from '../../core/scripts/event.ts';
import { EXAMPLES } from '../../core/scripts/examples.ts';
import { setVariable } from '../../core/tenants/environments/variables.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { runCommand } from '../support/command-line.ts';
import { mustBe } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import { createHook, firstEnvironmentUuid, type Hook, hookSender, makeHooked, matchAll } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { compile } from '../support/typescript-folder.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { deploy, type ShownRun } from '../support/user-scripts.ts';

describe('the example of each event to begin with', function () {
  const hooked = use(this, makeHooked);
  const app = use(this, () => startApp({ env: hooked.env }));
  let hook: Hook;

  before(async () => {
    app.services.scriptQueue.start();
    hook = await createHook(app.api, await firstEnvironmentUuid(app));
    for (const [event, source] of Object.entries(EXAMPLES))
      await deploy(app, { event: event as ScriptEvent, source, key: 'hook' });
  });

  const importOne = (id: string, members: object = {}) =>
    app.api.post('/connections', {
      provider_config_key: 'hook',
      connection_id: id,
      credentials: { type: 'OAUTH2', access_token: canary('imported token') },
      ...members,
    });
  const read = async (id: string, key = 'hook') => (await app.api.get(`/connections/${id}?provider_config_key=${key}`)).body;
  const metadataBecome = (id: string, name: string, value: unknown) =>
    until(`the metadata of ${id} have ${name}`, async () => (await read(id)).metadata[name] === value);
  const newest = async (event: ScriptEvent, key = 'hook'): Promise<ShownRun> =>
    (await app.api.get(`/integrations/${key}/scripts/${event}/runs`)).body.data[0];

  it('is type-checked against the declarations of `svc`, in the folder that `scripts init` creates', async () => {
    await using folder = await makeFolders({});
    expect((await runCommand({}, 'scripts', 'init', join(folder.path, 'scripts'))).code).to.equal(0);
    expect(compile(join(folder.path, 'scripts'))).to.deep.equal([]);
  });

  it('post-connection-creation: logs the address for webhooks and writes metadata', async () => {
    mustBe(200, await importOne('created'));
    await metadataBecome('created', 'welcomed', true);
    await until('the run is stored', async () => (await newest('post-connection-creation')) !== undefined);
    const run = await newest('post-connection-creation');
    expect(run.status).to.equal('done');
    expect(run.log[0]?.facts).to.have.property('webhook_url').that.includes('/webhook/');
  });

  it('pre-connection-deletion: logs the metadata that are deleted', async () => {
    mustBe(200, await importOne('leaving', { metadata: { plan: 'paid' } }));
    await metadataBecome('leaving', 'welcomed', true);
    mustBe(200, await app.api.delete('/connections/leaving?provider_config_key=hook'));
    const run = await newest('pre-connection-deletion');
    expect(run.status).to.equal('done');
    expect(run.log[0]?.facts).to.deep.equal({ metadata: { plan: 'paid', welcomed: true } });
  });

  it('validate-connection: accepts all, and with its variable only the people of that domain', async () => {
    const tags = (email: string) => ({ tags: { end_user_email: email } });
    mustBe(200, await importOne('any', tags('ada@other.example')));
    await setVariable(app.services, 1, { name: 'ALLOWED_DOMAIN', value: 'acme.example' });
    mustBe(200, await importOne('insider', tags('ada@acme.example')));
    for (const members of [tags('ada@other.example'), tags('ada@not-acme.example'), {}]) {
      const response = await importOne('outsider', members);
      expect(response.status, response.text).to.equal(400);
      expect(response.body.error.message).to.equal('Only people of our company may connect an account.');
    }
    await app.database.db('environment_variables').where({ name: 'ALLOWED_DOMAIN' }).delete();
  });

  it('on-webhook: stores the type of a signed event, but not of one that anybody may have sent', async () => {
    const open = await createHook(app.api, await firstEnvironmentUuid(app), { key: 'open', signed: false });
    await deploy(app, { event: 'on-webhook', source: EXAMPLES['on-webhook'], key: 'open' });
    for (const key of ['hook', 'open']) mustBe(200, await importOne('hooked', { provider_config_key: key }));
    await metadataBecome('hooked', 'welcomed', true);
    for (const one of [hook, open]) {
      const body = { type: 'order.paid', keys: [{ by: 'connectionId', value: 'hooked' }] };
      mustBe(200, await hookSender(client(app.url), one)(body));
      await matchAll(app);
      await until('it ran', async () => (await newest('on-webhook', one.key)) !== undefined);
      expect((await newest('on-webhook', one.key)).status).to.equal('done');
    }
    expect((await read('hooked')).metadata).to.deep.equal({ welcomed: true, lastEvent: 'order.paid' });
    expect((await read('hooked', 'open')).metadata).to.deep.equal({});
  });
});
