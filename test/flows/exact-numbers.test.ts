import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { connectionsOf, finish, returnFromProvider } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import { createSession, mustBe } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { createHook, firstEnvironmentUuid, HOOKED_FILES, type Hook, hookSender, matchAll } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { serve } from '../support/loopback-server.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { deploy } from '../support/user-scripts.ts';

/** A number beyond 2^53, which JavaScript would change to 17841405822304916. */
const USER = '17841405822304915';
const SITE = '99999999999999999999';
const RATIO = '0.12345678901234567890';

const SOCIAL = {
  display_name: 'Social',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.authorization_url}',
  token_url: '${integrationConfig.server}/token',
  token_response_metadata: ['user_id', 'ratio'],
  integration_config: {
    authorization_url: { type: 'string', title: 'Authorization URL', format: 'uri' },
    server: { type: 'string', title: 'Server', format: 'uri' },
  },
  connection_config: { site: { type: 'string', title: 'Site', automated: true } },
  discover: [{ base_url: '${integrationConfig.server}', endpoint: '/site', values: { site: 'site.id' } }],
  identity: { endpoint: '/me', account: { id: 'id' } },
  proxy: { base_url: '${integrationConfig.server}/api' },
};

describe('numbers that JavaScript would change', function () {
  const authorization = use(this, startFakeProvider);
  const server = use(this, () =>
    serve((request, response) => {
      request.resume();
      const tokens = { access_token: canary('access token'), refresh_token: canary('refresh token'), expires_in: 3600 };
      const bodies: Readonly<Record<string, string>> = {
        '/token': JSON.stringify(tokens).replace('}', `,"user_id":${USER},"ratio":${RATIO}}`),
        '/site': `{"site":{"id":${SITE}}}`,
        '/api/me': `{"id":${USER}}`,
        '/api/numbers': `{"id":${USER},"ratio":${RATIO},"few":7}`,
      };
      response.setHeader('content-type', 'application/json').end(bodies[request.url ?? ''] ?? '{}');
    }),
  );
  const folders = use(this, () => makeFolders({ 'providers/social/provider.json': JSON.stringify(SOCIAL), ...HOOKED_FILES }));
  const app = use(this, () =>
    startApp({ env: { SVC_PROVIDERS_DIR: `${folders.path}/providers`, SVC_PLUGINS_DIR: `${folders.path}/plugins` } }),
  );
  let connectionId: string;
  let hook: Hook;

  before(async () => {
    const credentials = { type: 'OAUTH2', client_id: authorization.clientId, client_secret: authorization.clientSecret };
    const integration_config = { authorization_url: authorization.authorizationUrl, server: server.url };
    const body = { unique_key: 'social', provider: 'social', credentials, integration_config };
    mustBe(200, await app.api.post('/integrations', body));
    const token = await createSession(app, { allowed_integrations: ['social'] });
    mustBe(200, await finish(await returnFromProvider(app, { key: 'social', token })));
    const [made] = await connectionsOf(app);
    connectionId = made?.connection_id ?? '';
  });

  const read = async () => (await app.api.get(`/connections/${connectionId}?provider_config_key=social`)).text;
  const json = (text: string) => ({ headers: { 'content-type': 'application/json' }, body: Buffer.from(text) });

  it('are kept as the provider wrote them, in `raw` and in the stored fields of a token response', async () => {
    const text = await read();
    expect(text.match(/"user_id":[^,}]+/g)).to.deep.equal([`"user_id":${USER}`, `"user_id":${USER}`]);
    expect(text.match(/"ratio":[^,}]+/g)).to.deep.equal([`"ratio":${RATIO}`, `"ratio":${RATIO}`]);
  });

  it('become strings of digits where they are IDs of an account or discovered IDs', async () => {
    const { body } = await app.api.get(`/connections/${connectionId}/health?provider_config_key=social`);
    expect(body.data.provider_account.id).to.equal(USER);
    expect(JSON.parse(await read()).connection_config.site).to.equal(SITE);
  });

  it('stay the same through a refresh', async () => {
    const before = await app.database.db('connections').first('connection_config');
    mustBe(200, await app.api.get(`/connections/${connectionId}?provider_config_key=social&force_refresh=strict`));
    expect(JSON.stringify(await app.database.db('connections').first('connection_config'))).to.equal(JSON.stringify(before));
    expect(await read()).to.include(`"user_id":${USER}`);
  });

  it('are stored in metadata digit for digit, and a repeated request has the same response', async () => {
    const about = `"connection_id":"${connectionId}","provider_config_key":"social"`;
    const body = `{${about},"metadata":{"long":${SITE},"ratio":${RATIO},"list":[${USER},1.5]}}`;
    const { headers, ...call } = json(body);
    const repeat = () =>
      app.api.call('POST', '/connections/metadata', { ...call, headers: { ...headers, 'idempotency-key': 'n' } });
    const [first, second] = [await repeat(), await repeat()];
    expect(first.text).to.include(`"metadata":{"long":${SITE},"ratio":${RATIO},"list":[${USER},1.5]}`);
    expect(second.text).to.equal(first.text);
    const text = await read();
    for (const part of [`"long":${SITE}`, `"ratio":${RATIO}`, `"list":[${USER},1.5]`]) expect(text).to.include(part);
  });

  for (const number of ['1e400', '1e-20000'])
    it(`are refused in request bodies of the API if nothing can hold them: ${number}`, async () => {
      const body = `{"connection_id":"${connectionId}","provider_config_key":"social","metadata":{"n":${number}}}`;
      const response = await app.api.call('POST', '/connections/metadata', json(body));
      expect([response.status, response.body.error.code]).to.deep.equal([400, 'invalid_body']);
    });

  it('of a webhook match the connections that have them, as numbers or as texts, and are forwarded as they came', async () => {
    await app.database.db('environments').update({ webhook_url: 'https://app.example/webhooks' });
    hook = await createHook(app.api, await firstEnvironmentUuid(app));
    const credentials = { type: 'OAUTH2', access_token: canary('imported token') };
    for (const [id, user] of [
      ['number', USER],
      ['text', `"${USER}"`],
      ['other', '17841405822304916'],
    ])
      mustBe(
        200,
        await app.api.call(
          'POST',
          '/connections',
          json(
            `{"provider_config_key":"hook","connection_id":"${id}","credentials":${JSON.stringify(credentials)},"metadata":{"user":${user}}}`,
          ),
        ),
      );
    const keys = [{ by: 'metadata', field: 'user', value: USER }];
    const sent = `{"keys":${JSON.stringify(keys)},"user":${USER},"ratio":${RATIO}}`;
    mustBe(200, await hookSender(client(app.url), hook)(sent, { headers: { 'content-type': 'application/json' } }));
    const forwards = await matchAll(app);
    expect(forwards.map((forward) => forward.connectionId)).to.have.members(['number', 'text']);
    for (const { text } of forwards) expect(text).to.include(`"user":${USER},"ratio":${RATIO}`);
  });

  it('become strings of digits in scripts: of webhooks', async () => {
    const source = `export const webhookSubscriptions = ['*'];
      export async function onWebhook(svc, event) {
        svc.log('saw', { payload: event.payload.user, metadata: (await svc.getMetadata()).user });
      }`;
    await deploy(app, { event: 'on-webhook', source, key: 'hook' });
    const sent = `{"keys":[{"by":"connectionId","value":"number"}],"user":${USER}}`;
    mustBe(200, await hookSender(client(app.url), hook)(sent, { headers: { 'content-type': 'application/json' } }));
    await matchAll(app);
    expect(await seenByScript()).to.deep.equal({ payload: USER, metadata: USER });
  });

  it('become strings of digits in scripts: of the provider and the connection', async () => {
    const source = `export default async (svc) => {
        const { data } = await svc.get({ endpoint: '/numbers' });
        const proxied = await svc.proxy({ method: 'GET', endpoint: '/numbers' });
        const { metadata } = await svc.getConnection();
        svc.log('saw', { data, proxied: proxied.data.id, user: (await svc.getMetadata()).user, metadata: metadata.user });
      };`;
    await deploy(app, { event: 'post-connection-creation', source, key: 'social' });
    const credentials = JSON.stringify({ type: 'OAUTH2', access_token: canary('imported token') });
    const body = `{"provider_config_key":"social","credentials":${credentials},"metadata":{"user":${USER}}}`;
    mustBe(200, await app.api.call('POST', '/connections', json(body)));
    expect(await seenByScript()).to.deep.equal({
      data: { id: USER, ratio: Number(RATIO), few: 7 },
      proxied: USER,
      user: USER,
      metadata: USER,
    });
  });

  /** Runs the queued script. @returns what it logs */
  async function seenByScript(): Promise<unknown> {
    const { db } = app.database;
    app.services.scriptQueue.start();
    await until('the script has run', async () => (await db('script_runs').first('id')) !== undefined);
    const { status, log } = await db('script_runs').first();
    await db('script_runs').delete();
    expect(status).to.equal('done');
    return log[0].facts;
  }
});
