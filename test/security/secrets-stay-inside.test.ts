import { once } from 'node:events';
import { expect } from 'chai';
import type { Knex } from 'knex';
import WebSocket from 'ws';
import { startApp } from '../support/app.ts';
import { canary, rememberSecret, sweep } from '../support/canaries.ts';
import {
  connect,
  connectAgain,
  connectUrl,
  createSession,
  readConnection,
  type Service,
  throughProxy,
} from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { type FakeApplication, startFakeApplication } from '../support/fake-application.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { createHook, hookSender, makeHooked } from '../support/hooked.ts';
import { type Client, client } from '../support/http-client.ts';
import { startService } from '../support/processes.ts';
import { rawExchange } from '../support/raw-tcp.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { until } from '../support/until.ts';
import { deploy } from '../support/user-scripts.ts';
import { WebWalker } from '../support/web-walker.ts';

interface Scene extends Service {
  readonly api: Client;
  readonly apiKey: string;
  readonly provider: FakeProvider;
  readonly application: FakeApplication;
  readonly db: Knex;
  /** Makes all stored tokens expire. */
  readonly expire: () => Promise<void>;
}

/** Takes a connection through everything that can happen to it, successes and failures. */
async function live(scene: Scene): Promise<void> {
  const { api, provider, application } = scene;
  await enableWebhooks(scene.db, { webhook_url: application.url });
  application.next('webhook', { response: { status: 500, body: `I was sent ${canary('response of the application')}` } });
  const connected = await connect(scene, provider);
  await receiveWebhooks(scene);
  await runScripts(scene);
  await readConnection(scene, connected, '&force_refresh=true&refresh_token=true');
  await api.get('/integrations/fake?include=credentials&include=webhook');
  for (const status of [200, 404, 500])
    await throughProxy(scene, connected, { path: `/status/${status}?api_key=${canary('query')}` });
  await throughProxy(scene, connected, { path: '/echo', method: 'POST', body: { password: canary('proxied body') } });
  provider.next(
    'api',
    { delivery: 'hang' },
    { delivery: 'reset' },
    { delivery: 'truncate', response: { status: 200, body: 'half' } },
  );
  await throughProxy(scene, connected, { path: '/me', headers: { 'svc-timeout': '1' } });
  await throughProxy(scene, connected, { path: '/me' });
  await throughProxy(scene, connected, { path: '/me' }).catch(() => undefined);
  await talk(scene, connected);

  provider.next('token', { response: { status: 503, body: `overloaded, try ${canary('token response')} later` } });
  await scene.expire();
  await readConnection(scene, connected);
  await failToConnect(scene);
  provider.grants.revoke(0);
  await readConnection(scene, connected, '&force_refresh=true');
  await throughProxy(scene, connected, { path: '/me' });
  await api.delete(`/connections/${connected.connectionId}?provider_config_key=fake`);
  await throughProxy(scene, connected, { path: '/me' });
  for (const operation of ['creation', 'refresh', 'deletion'])
    await until(`the webhook of a ${operation}`, () => sentTo(application).auth.some((text) => text.includes(`"${operation}"`)));
}

/** Runs scripts when a connection is created, refused and deleted. Each script logs and throws everything it knows. */
async function runScripts(scene: Scene): Promise<void> {
  const { api, db } = scene;
  await api.patch('/integrations/fake', { credentials: { webhook_secret: canary('webhook secret of an integration') } });
  for (const event of ['post-connection-creation', 'pre-connection-deletion', 'validate-connection'] as const) {
    await deploy(scene, { event, source: TALKATIVE });
    if (event !== 'validate-connection') continue;
    const token = canary('refused token');
    await api.post('/connections', { provider_config_key: 'fake', credentials: { type: 'OAUTH2', access_token: token } });
  }
  await api.delete('/integrations/fake/scripts/validate-connection');
  const made = await connectAgain(scene);
  await until('the script of a creation', async () => isRun(made.connectionId));
  await api.delete(`/connections/${made.connectionId}?provider_config_key=fake`);
  await api.get('/integrations/fake/scripts/pre-connection-deletion/runs');

  async function isRun(connectionId: string): Promise<boolean> {
    return (await db('script_runs').where({ connection_id: connectionId }).first('id')) !== undefined;
  }
}

const TALKATIVE = `export default async (svc) => {
  const known = [await svc.getIntegration(), await svc.getConnection()];
  const { data } = await svc.get({ endpoint: '/echo' }).catch((error) => error.response ?? {});
  const text = JSON.stringify([known, data]);
  svc.log('all: ' + text, { known, data, text });
  console.error(known, text);
  throw new svc.ScriptError('I knew ' + known[0].webhook_secret + ' and ' + text.slice(0, 1_500));
};`;

/** Sends genuine, forged and malformed deliveries, and one with which the plugin fails. */
async function receiveWebhooks({ url, api, db, application }: Scene): Promise<void> {
  const { uuid } = await db('environments').where({ id: 1 }).first('uuid');
  const hook = await createHook(api, uuid);
  const anyone = client(url);
  await hookSender(anyone, hook)({ text: canary('payload of a webhook') });
  await hookSender(anyone, { ...hook, secret: canary('a forger’s secret') })({ text: canary('forged payload') });
  await hookSender(anyone, { ...hook, secret: undefined })(canary('unsigned payload'), {
    headers: { 'x-hook-token': canary('token') },
  });
  await hookSender(anyone, hook)(`{"text": "${canary('payload that breaks off')}`, JSON_BODY);
  await hookSender(anyone, hook)({ broken: 'events', text: canary('payload that breaks the plugin') });
  await anyone.call('POST', `${hook.path}?token=${encodeURIComponent(canary('query of a webhook'))}`, { body: '{}' });
  await until('the forward of a webhook', () => sentTo(application).forwards.some((text) => text.includes('hooked')));
}

/** Returns the service's own webhooks, and the forwarded ones, whose contents come from the provider. */
function sentTo({ ledger }: FakeApplication): { readonly auth: readonly string[]; readonly forwards: readonly string[] } {
  const whole = ledger.entries.map(({ rawHeaders, body }) => `${rawHeaders.join('\n')}\n${body.toString()}`);
  const isForward = (text: string) => text.includes('"type":"forward"');
  return { auth: whole.filter((text) => !isForward(text)), forwards: whole.filter(isForward) };
}

async function talk({ url, apiKey }: Scene, { key, connectionId }: { key: string; connectionId: string }): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'provider-config-key': key, 'connection-id': connectionId };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/proxy/socket?token=${canary('socket query')}`, { headers });
  await once(socket, 'open');
  socket.send(canary('socket message'));
  await once(socket, 'message');
  socket.close();
  await once(socket, 'close');
}

/** Lets attempts to connect fail: by a refusal of the user, at the token endpoint, and with an unknown state or session. */
async function failToConnect(scene: Scene): Promise<void> {
  const token = await createSession(scene, { allowed_integrations: ['fake'] });
  const walk = () => new WebWalker().follow(connectUrl(scene, { token }));
  scene.provider.next('authorize', { members: { error: 'access_denied', error_description: canary('description') } });
  await walk();
  scene.provider.next('token', {
    response: { status: 400, body: JSON.stringify({ error: canary('error of the token endpoint') }) },
  });
  await walk();
  scene.provider.next('token', { delivery: 'reset' });
  await walk();
  const { url } = scene;
  await fetch(
    `${url}/oauth/callback?code=${encodeURIComponent(canary('lost code'))}&state=${encodeURIComponent(canary('lost state'))}`,
  );
  await fetch(`${url}/oauth/connect/fake?connect_session_token=${encodeURIComponent(canary('wrong session token'))}`);
}

/** Sends secrets in places where they do not belong, such as paths and unknown fields, which an error might repeat. */
async function misplace({ url, api, apiKey }: Scene): Promise<void> {
  const port = Number(new URL(url).port);
  await api.get(`/connections?token=${apiKey}`);
  await api.get(`/connections?limit=${apiKey}`);
  await api.get(`/connections?${apiKey}=1`);
  await api.get(`/connections/${apiKey}?provider_config_key=fake`);
  await api.get(`/connections/x?provider_config_key=${apiKey}`);
  await api.get(`/integrations/${apiKey}`);
  await api.get(`/${apiKey}`);
  await api.get(`/proxy/${apiKey}`);
  await api.get(`/proxy/${apiKey}`, { headers: { 'provider-config-key': apiKey, 'connection-id': apiKey } });
  await api.get('/proxy/me', { headers: { 'provider-config-key': 'fake', 'connection-id': 'x', retries: apiKey } });
  await api.post(
    '/integrations',
    `{"unique_key": "${apiKey}", "credentials": {"client_secret": "${canary('malformed')}"`,
    JSON_BODY,
  );
  await api.post('/integrations', { unique_key: 'bad', provider: apiKey, credentials: { client_secret: 12, type: apiKey } });
  await api.post('/integrations', { unique_key: 'bad', provider: 'github', [apiKey]: canary('unknown member') });
  await api.post('/connect/sessions', { tags: { a: { [apiKey]: 1 } }, allowed_integrations: [apiKey] });
  await api.post('/connect/sessions/reconnect', { connection_id: apiKey, integration_id: apiKey });
  await client(url, canary('unknown key')).get('/connections');
  await client(url).get('/connections', { headers: { authorization: `Basic ${canary('basic')}` } });
  await client(url).get('/connections', { headers: { authorization: apiKey } });
  await rawExchange(port, `GET /connections HTTP/1.1\r\nHost: a\r\nAuthorization : Bearer ${apiKey}\r\n\r\n`);
  await rawExchange(port, `GET http://a/?key=${apiKey} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await rawExchange(port, `${apiKey} / HTTP/1.1\r\nHost: ${apiKey}@a\r\n\r\n`);
}

const JSON_BODY = { headers: { 'content-type': 'application/json' } };

function errorsOf({ recorded }: Client): string[] {
  const ours = recorded.filter(
    ({ status, url, headers }) => status >= 400 && (!url.includes('/proxy/') || headers.includes('svc-error')),
  );
  return ours.map(({ headers, text }) => headers + text);
}

async function operationsOf(scene: Scene, ids: readonly { readonly id: string }[]): Promise<string[]> {
  return Promise.all(ids.map(async ({ id }) => (await scene.api.get(`/logs/${id}`)).text));
}

describe('secrets (LEAK-01)', function () {
  this.timeout(60_000);

  it('stay where they belong through the whole life of a connection', async () => {
    await using provider = await startFakeProvider();
    await using application = await startFakeApplication();
    await using hooked = await makeHooked();
    await using app = await startApp({ env: hooked.env });
    app.services.matching.start();
    app.services.scriptQueue.start();
    app.services.deliverer.start();
    const expire = async () => app.clock.advance(3_700_000, app.database.db);
    const scene = { ...app, url: app.url, api: client(app.url, app.apiKey), provider, application, db: app.database.db, expire };
    await live(scene);
    await misplace(scene);
    await app.services.activity.flush();

    const places = {
      log: app.logLines.join(''),
      database: await app.database.dump(),
      errors: errorsOf(scene.api),
      metrics: (await app.client().get('/metrics')).text,
      operations: await operationsOf(scene, await app.database.db('operation_log').select('id')),
      webhooks: sentTo(application).auth,
    };
    expect(places.operations.length).to.be.at.least(15);
    expect(sweep(places)).to.deep.equal([]);
    const forwarded = sweep({ forwards: sentTo(application).forwards }).map(({ secret }) => secret);
    expect(forwarded).to.include('payload of a webhook');
    expect(new Set(forwarded)).to.satisfy(
      (names: Set<string>) => [...names].every((name) => /payload/.test(name)),
      'in forwards',
    );
    for (const place of Object.keys(places)) {
      const planted = sweep({ ...places, [place]: `${places.log} planted: ${provider.clientSecret}` });
      expect(planted).to.deep.equal([
        { place, secret: 'provider: client secret', form: 'plain', file: 'test/security/secrets-stay-inside.test.ts' },
      ]);
    }
  });

  it('stay out of what a real process prints and keeps', async () => {
    await using provider = await startFakeProvider();
    await using application = await startFakeApplication();
    await using hooked = await makeHooked();
    await using database = await cloneDatabase();
    const env = { ...newServiceEnv(), ...hooked.env };
    await using service = await startService({
      env: { ...env, DATABASE_URL: database.url, SVC_LOG_LEVEL: 'debug' },
    });
    const apiKey = env.SVC_BOOTSTRAP_API_KEY;
    const expire = async () => {
      await database.db('connections').update({ expires_at: new Date('2020-01-01T00:00:00Z') });
    };
    const scene = { url: service.url, api: client(service.url, apiKey), apiKey, provider, application, db: database.db, expire };
    await live(scene);
    await misplace(scene);
    rememberSecret('database URL', database.url);
    // The service runs without a terminal, so it writes the setup token only into its file.
    rememberSecret('setup token', new URL(await service.setupLink()).hash.replace('#token=', ''));
    await service.stop();

    const { stdout, stderr } = service.output;
    expect(stdout).to.include('stopping');
    expect(stderr).to.equal('');
    expect(sweep({ stdout, database: await database.dump(), errors: errorsOf(scene.api) })).to.deep.equal([]);
  });
});
