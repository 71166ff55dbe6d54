import { createHmac } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { makeFolders } from '../support/folders.ts';
import { serve } from '../support/loopback-server.ts';
import { registrationLog, runSubscriptions, storedSubscription } from '../support/subscriptions.ts';
import { use } from '../support/use.ts';

/**
 * A provider that sends the secret of a webhook in a handshake when the webhook is registered, like Asana
 * (https://developers.asana.com/docs/webhooks-guide, "Webhooks").
 */
const DEFINITION = {
  display_name: 'Tasks',
  docs: 'https://docs.example.com',
  auth_mode: 'API_KEY',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  proxy: { base_url: '${integrationConfig.server}' },
  webhook: {
    signature: { scheme: 'hmac', header: 'X-Hook-Signature', encoding: 'hex', secret: 'handshake' },
    handshake: [{ method: 'POST', echo: 'headers.x-hook-secret', as: { header: 'X-Hook-Secret' }, keep_secret: true }],
    events: { list: 'body.events', type: 'event.action' },
  },
};
const PLUGIN = `
import { PluginError, type ProviderPlugin } from '#contract';
export default {
  contract: 1,
  subscriptions: {
    async subscribe(ctx, { url }) {
      const response = await ctx.fetch(ctx.integrationConfig['server'] + '/webhooks', { method: 'POST', body: JSON.stringify({ target: url }) });
      if (!response.ok) throw new PluginError('provider_unavailable', 'the webhook was not made');
      return { gid: '1' };
    },
  },
} satisfies ProviderPlugin;
`;
const EVENTS = JSON.stringify({ events: [{ action: 'changed', resource: { gid: '1337' } }] });

const signed = (secret: string) => createHmac('sha256', secret).update(EVENTS).digest('hex');

describe('secrets that handshakes bring', function () {
  const folders = use(this, () => makeFolders({ 'tasks/provider.json': JSON.stringify(DEFINITION), 'tasks/plugin.ts': PLUGIN }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path, SVC_PLUGINS_DIR: folders.path } }));
  const given: { target: string; secret: string }[] = [];
  const provider = use(this, () =>
    serve(async (request, response) => {
      const { target } = (await json(request)) as { target: string };
      const secret = canary('secret of a webhook');
      const answer = await fetch(target, { method: 'POST', headers: { 'x-hook-secret': secret }, body: '{}' });
      const isEchoed = answer.status === 200 && answer.headers.get('x-hook-secret') === secret && (await answer.text()) === '';
      given.push({ target, secret });
      response.writeHead(isEchoed ? 201 : 400, { 'content-type': 'application/json' }).end('{"data":{"gid":"1"}}');
    }),
  );

  before(async () => {
    const integration = { unique_key: 'tasks', provider: 'tasks', integration_config: { server: provider.url } };
    const created = await app.api.post('/integrations', integration);
    expect(created.status, created.text).to.equal(200);
  });

  /** Creates a connection and lets the service register its webhook at the provider. */
  async function registered() {
    const credentials = { type: 'API_KEY', apiKey: canary('API key') };
    const { body } = await app.api.post('/connections', { provider_config_key: 'tasks', credentials });
    const connected = { key: 'tasks', connectionId: body.connection_id };
    expect(await runSubscriptions(app)).to.equal(1);
    const { target, secret } = given.at(-1) ?? expect.fail();
    return { ...connected, target, secret };
  }

  const shake = (target: string, secret: string) =>
    fetch(target, { method: 'POST', headers: { 'x-hook-secret': secret }, body: '{}' });
  const deliver = (target: string, signature: string) =>
    fetch(target, {
      method: 'POST',
      headers: { 'x-hook-signature': signature, 'content-type': 'application/json' },
      body: EVENTS,
    });
  const secretsOf = async (connectionId: string) =>
    (await app.database.db('connections').where({ connection_id: connectionId }).first('handshake_secrets')).handshake_secrets;
  const close = (connectionId: string) =>
    app.database
      .db('connections')
      .where({ connection_id: connectionId })
      .update({ handshake_until: new Date(0) });

  it('verify deliveries to the address of their connection', async () => {
    const { connectionId, target, secret } = await registered();
    expect((await storedSubscription(app, { key: 'tasks', connectionId })).subscription).to.deep.equal({ gid: '1' });
    expect((await registrationLog(app, { key: 'tasks', connectionId })).map(({ status }) => status)).to.deep.equal(['success']);
    expect((await deliver(target, signed(secret))).status).to.equal(200);
    expect((await deliver(target, signed(canary('another secret')))).status).to.equal(401);
    const untagged = target.split('?', 1)[0] ?? '';
    expect((await deliver(untagged, signed(secret))).status).to.equal(401);
    const other = await registered();
    expect((await deliver(other.target, signed(secret))).status).to.equal(401);
  });

  it('are stored encrypted', async () => {
    const { connectionId, secret } = await registered();
    expect(String(await secretsOf(connectionId))).not.to.contain(secret);
    expect(await app.database.dump()).not.to.contain(secret);
  });

  it('are accepted at no other address, where nothing is stored', async () => {
    const { connectionId, target } = await registered();
    const before = await secretsOf(connectionId);
    const forged = new URL(target);
    forged.searchParams.set('svcTag', 'a'.repeat(64));
    const untagged = target.split('?', 1)[0] ?? '';
    const named = `${untagged}?svcConnectionId=${connectionId}`;
    for (const [address, code] of [
      [untagged, 'webhook_missing_signature'],
      [named, 'webhook_missing_signature'],
      [forged.href, 'webhook_invalid_signature'],
    ] as const) {
      const response = await shake(address, canary('a stranger’s secret'));
      expect([response.status, response.headers.get('x-hook-secret')]).to.deep.equal([401, null]);
      expect(await response.json()).to.have.nested.property('error.code', code);
    }
    expect(await secretsOf(connectionId)).to.deep.equal(before);
  });

  it('are accepted only while webhooks are being registered; a stored secret is returned again', async () => {
    const { connectionId, target, secret } = await registered();
    await close(connectionId);
    const late = canary('a late secret');
    expect((await shake(target, late)).status).to.equal(401);
    expect((await deliver(target, signed(late))).status).to.equal(401);
    const again = await shake(target, secret);
    expect([again.status, again.headers.get('x-hook-secret')]).to.deep.equal([200, secret]);
    expect((await deliver(target, signed(secret))).status).to.equal(200);
  });

  it('replace no other secret, and are ten at most', async () => {
    const { target, secret } = await registered();
    const others = Array.from({ length: 9 }, () => canary('secret of a webhook'));
    for (const other of others) expect((await shake(target, other)).status).to.equal(200);
    const beyond = canary('secret of a webhook');
    expect((await shake(target, beyond)).status).to.equal(401);
    for (const one of [secret, ...others]) expect((await deliver(target, signed(one))).status).to.equal(200);
    expect((await deliver(target, signed(beyond))).status).to.equal(401);
  });
});
