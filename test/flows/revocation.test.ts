import { expect } from 'chai';
import { deletionWorker } from '../../core/connect/deletion/connection-deleting.ts';
import { eraseMarked } from '../../core/connect/deletion/erase-marked.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { type Connected, connectAgain, mustBe } from '../support/connect.ts';
import { jsonResponse } from '../support/fake-provider/echo.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const NOTES = {
  server: { display_name: 'Revoking', docs: 'https://docs.example.com', auth_mode: 'OAUTH2' },
  urls: {
    authorization_url: '${integrationConfig.server}/authorize',
    token_url: '${integrationConfig.server}/token',
    revocation_url: '${integrationConfig.server}/revoke',
    integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
    proxy: { base_url: '${integrationConfig.server}/api' },
  },
};
const PLUGIN = `
import { PluginError } from '#contract';
export default {
  contract: 1,
  connection: {
    async revoke(ctx) {
      const response = await ctx.fetch(ctx.integrationConfig.server + '/api/sign-out', { method: 'POST' });
      if (response.status >= 500) throw new PluginError('provider_unavailable', 'away');
      if (response.status >= 400) throw new PluginError('invalid_credentials', 'refused');
    },
  },
};`;

/** A plugin whose clean-up at the provider is given credentials for calls, but makes none. */
const TIDY = `export default { contract: 1, connection: { async beforeDeletion() {} } };`;

describe('the deletion of a connection (DEL-01)', function () {
  const provider = use(this, () => startFakeProvider({ openApi: true }));
  const folders = use(this, () =>
    makeFolders({
      'revoking/provider.json': JSON.stringify({ ...NOTES.server, ...NOTES.urls }),
      'signing-out/provider.json': JSON.stringify({ ...NOTES.server, ...NOTES.urls }),
      'signing-out/plugin.ts': PLUGIN,
      'tidy/provider.json': JSON.stringify({ ...NOTES.server, ...NOTES.urls }),
      'tidy/plugin.ts': TIDY,
    }),
  );
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path, SVC_PLUGINS_DIR: folders.path } }));

  before(async () => {
    for (const key of ['revoking', 'signing-out', 'tidy']) {
      const credentials = { type: 'OAUTH2', client_id: provider.clientId, client_secret: provider.clientSecret };
      const body = { unique_key: key, provider: key, credentials, integration_config: { server: provider.url } };
      mustBe(200, await app.api.post('/integrations', body));
    }
  });

  const remove = async ({ connectionId, key }: Connected) =>
    mustBe(200, await app.api.delete(`/connections/${connectionId}?provider_config_key=${key}`));
  const rowOf = ({ connectionId }: Connected) =>
    app.database.db('connections').where({ connection_id: connectionId }).first('deleted_at');
  const revoked = () => provider.ledger.of('revoke');

  /** Returns the messages in the operation log entries of a connection's deletion, the latest last. */
  async function notesOf({ connectionId }: Connected): Promise<string[]> {
    const rows: { id: string }[] = await app.database
      .db('operation_log')
      .where({ type: 'deletion', connection_id: connectionId })
      .orderBy('created_at');
    const logs = await Promise.all(rows.map(({ id }) => app.api.get(`/logs/${id}`)));
    return logs.flatMap(({ body }) => body.data.messages.map(({ message }: { message: string }) => message));
  }

  /** Makes the scheduled deletions older by `seconds`, and runs those that are then due. */
  async function later(seconds: number): Promise<void> {
    for (const column of ['due_at', 'created_at'])
      await app.database.db('connection_deletions').update({
        [column]: app.database.db.raw(`?? - ? * interval '1 second'`, [column, seconds]),
      });
    await deletionWorker(app.services).workOff();
  }

  it('revokes its refresh token at the provider, as its own client', async () => {
    const connected = await connectAgain(app, 'revoking');
    const calls = revoked().length;
    await remove(connected);
    const [call, ...others] = revoked().slice(calls);
    expect(others).to.deep.equal([]);
    expect(call?.params).to.include({ token_type_hint: 'refresh_token', client_id: provider.clientId });
    expect(call?.params['token'] === provider.ledger.of('token').at(-1)?.params['refresh_token']).to.equal(false);
    const family = provider.grants.describe(call?.params['token'] ?? '')?.family;
    expect(family).to.be.a('number');
    expect(await rowOf(connected)).to.equal(undefined);
    expect(await notesOf(connected)).to.include('the provider revoked the credentials');
  });

  it('revokes as the client that authorized the connection after the integration has got another client', async () => {
    const connected = await connectAgain(app, 'revoking');
    const secret = canary('provider: client secret');
    provider.clients.set('another', new Set([secret]));
    const change = (client_id: string, client_secret: string) =>
      app.api.patch('/integrations/revoking', { credentials: { type: 'OAUTH2', client_id, client_secret } });
    mustBe(200, await change('another', secret));
    await remove(connected);
    expect(revoked().at(-1)?.params).to.include({ client_id: provider.clientId });
    mustBe(200, await change(provider.clientId, provider.clientSecret));
  });

  it('repeats the revocation while the provider cannot be reached, and ends with its response', async () => {
    const connected = await connectAgain(app, 'revoking');
    provider.next('revoke', { response: { status: 503 } });
    await remove(connected);
    expect(await rowOf(connected))
      .to.have.property('deleted_at')
      .that.is.a('date');
    const calls = revoked().length;
    await later(31);
    expect(revoked().length).to.equal(calls + 1);
    expect(await rowOf(connected)).to.equal(undefined);
    const wanted = ['the provider could not be called to revoke the credentials', 'the provider revoked the credentials'];
    await until('both attempts are in the log', async () => {
      const notes = await notesOf(connected);
      return wanted.every((note) => notes.includes(note));
    });
  });

  it('revokes the token that the clean-up got, at a later attempt, too', async () => {
    const connected = await connectAgain(app, 'tidy');
    await app.clock.advance(2 * 3_600_000, app.database.db);
    const calls = provider.ledger.of('token').length;
    provider.next('revoke', { response: { status: 503 } });
    await remove(connected);
    expect(provider.ledger.of('token')).to.have.length(calls + 1);
    await later(31);
    const token = revoked().at(-1)?.params['token'] ?? '';
    expect(provider.grants.describe(token)).to.include({ kind: 'refresh', generation: 1 });
    expect(await rowOf(connected)).to.equal(undefined);
  });

  it('does not wait for a provider that hangs, and is over after ten minutes of silence', async () => {
    const connected = await connectAgain(app, 'revoking');
    provider.next('revoke', { delivery: 'hang' });
    const started = performance.now();
    await remove(connected);
    expect(performance.now() - started).to.be.below(10_000);
    provider.next('revoke', { response: { status: 503 } });
    await later(300);
    expect(await rowOf(connected)).not.to.equal(undefined);
    provider.next('revoke', { response: { status: 503 } });
    await later(310);
    expect(await rowOf(connected)).to.equal(undefined);
  });

  it('is not stopped by a provider that refuses', async () => {
    const connected = await connectAgain(app, 'revoking');
    provider.next('revoke', { response: jsonResponse(400, { error: 'unsupported_token_type' }) });
    await remove(connected);
    expect(await rowOf(connected)).to.equal(undefined);
    expect(await notesOf(connected)).to.include('the provider did not revoke the credentials');
  });

  it('asks the plugin instead, where that can revoke', async () => {
    const [away, refused] = [await connectAgain(app, 'signing-out'), await connectAgain(app, 'signing-out')];
    const calls = revoked().length;
    provider.next('api', { response: { status: 502 } });
    await remove(away);
    expect(await rowOf(away)).not.to.equal(undefined);
    await later(31);
    expect(await rowOf(away)).to.equal(undefined);
    provider.next('api', { response: { status: 403 } });
    await remove(refused);
    expect(await rowOf(refused)).to.equal(undefined);
    expect(provider.ledger.of('api').map(({ target }) => target)).to.deep.equal(Array(3).fill('/api/sign-out'));
    expect(revoked().length).to.equal(calls);
  });

  it('of a whole integration revokes each token once, and tries failed revocations again', async () => {
    await connectAgain(app, 'revoking');
    await connectAgain(app, 'revoking');
    mustBe(200, await app.api.delete('/integrations/revoking'));
    const { id } = await app.database.db('integrations').where({ unique_key: 'revoking' }).first('id');
    const erase = () => eraseMarked(app.services, { environmentId: 1, integrationId: id }, new AbortController().signal);
    const left = () => app.database.db('connections').where({ integration_id: id }).pluck('id');
    const isErased = async () => (await app.database.db('integrations').where({ id })).length === 0;
    const calls = revoked().length;
    provider.always('revoke', { response: { status: 503 } });
    expect(await erase(), 'seconds until it goes on').to.equal(30);
    expect(revoked().length).to.equal(calls + 2);
    expect(await isErased()).to.equal(false);

    provider.next('revoke', {});
    await erase();
    expect(revoked().length).to.equal(calls + 4);
    expect(await left()).to.have.length(1);

    await app.database.db('connection_deletions').update({
      created_at: app.database.db.raw(`created_at - interval '11 minutes'`),
    });
    await erase();
    expect([await left(), await isErased()]).to.deep.equal([[], true]);
    provider.always('revoke', {});
  });
});
