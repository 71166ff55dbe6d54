import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLogger } from '../../core/kit/logger.ts';
import { newApiKey, newSecret } from '../../core/kit/random-id.ts';
import type { TestApp } from './app.ts';
import { type Connected, connect, connectAgain, mustBe, readConnection } from './connect.ts';
import { emptyDatabase, type TestDatabase } from './database.ts';
import { startFakeProvider } from './fake-provider/fake-provider.ts';
import { createHook, firstEnvironmentUuid, type Hook, hookSender, makeHooked } from './hooked.ts';
import { client } from './http-client.ts';
import { APPLICATION_NAME, type KnownConnection, PROVIDER_NAME, writeInstallation } from './previous-installation.ts';
import { checkOutPreviousRelease } from './previous-release.ts';
import { setUpRun, tearDownRun } from './run-setup.ts';
import { enableWebhooks } from './stored-webhooks.ts';
import { deploy } from './user-scripts.ts';

// Writes `test/fixtures/previous-installation.jsonl` by the code of the release before. Run it by Node, without arguments.

const CREATION = `export default async (svc) => { await svc.updateMetadata({ greeted: true }); };`;
const WEBHOOK = `export const webhookSubscriptions = ['*'];
export async function onWebhook(svc, event) { svc.log('got', { number: event.payload.number }); }`;

/** Of the release before, in this process: it serves requests, and nothing that it leaves to be done is done. */
interface Old {
  readonly app: TestApp;
  /** Matches all deliveries that wait. */
  match(): Promise<void>;
  /** Has the provider send a webhook for one connection. */
  webhook(connected: Connected, number: number): Promise<void>;
}

async function main(): Promise<void> {
  using previous = checkOutPreviousRelease();
  if (previous === undefined) throw new Error('the history of this checkout does not go back to the release before');
  const load = (path: string) => import(pathToFileURL(join(previous.folder, path)).href);
  await using database = await emptyDatabase();
  await using provider = await startFakeProvider();
  const { migrate } = await load('core/db/migrate.ts');
  await migrate({ url: database.url, log: createLogger({ level: 'silent' }) });

  const older = `k1:${randomBytes(32).toString('base64')}`;
  const encryptionKeys = `k2:${randomBytes(32).toString('base64')},${older}`;
  const apiKey = newApiKey();
  await using hooked = await makeHooked();
  const env = { ...hooked.env, SVC_BOOTSTRAP_API_KEY: apiKey };
  const start = (keys: string) => startOld(load, database, { ...env, SVC_ENCRYPTION_KEYS: keys });
  const first = await start(older);
  const { accountKey } = first.app;
  await enableWebhooks(database.db, { webhook_url: `${APPLICATION_NAME}/webhooks` });
  const connected = [await connect(first.app, provider)];
  const hook = await createHook(first.app.api, await firstEnvironmentUuid(first.app), { signed: false });
  const one = await importConnection(first.app, hook, 'one');
  await deploy(first.app, { event: 'post-connection-creation', source: CREATION });
  await deploy(first.app, { event: 'on-webhook', source: WEBHOOK, key: hook.key });
  await first.webhook(one, 1);
  await first.match();
  await first.webhook(one, 2);
  await first.app[Symbol.asyncDispose]();

  const second = await start(encryptionKeys);
  connected.push(await connectAgain(second.app));
  const two = await importConnection(second.app, hook, 'two');
  await second.webhook(one, 3);
  await second.webhook(two, 4);
  const wanted = { environment_id: 1, display_name: 'lists', scopes: ['environment:connections:list'] };
  const listing = await client(second.app.url, accountKey).post('/environment/api-keys', wanted);
  const connections: KnownConnection[] = [];
  for (const each of [...connected, one, two]) connections.push(await known(second.app, each));
  await second.app[Symbol.asyncDispose]();

  const facts = {
    ...{ madeAt: new Date().toISOString(), encryptionKeys, apiKey, accountKey, listingKey: listing.body.data.secret },
    ...{ connections, matched: [1], unmatched: [2, 3, 4] },
    messageIds: await database.db('webhook_messages').orderBy('id').pluck('message_id'),
  };
  await writeInstallation(database.db, facts, new Map([[provider.url, PROVIDER_NAME]]));
}

async function startOld(
  // biome-ignore lint/suspicious/noExplicitAny: modules of another release
  load: (path: string) => Promise<any>,
  database: TestDatabase,
  env: Readonly<Record<string, string>>,
): Promise<Old> {
  const { startApp } = await load('test/support/app.ts');
  const { matchDeliveries } = await load('core/webhook-ingress/match.ts');
  const app: TestApp = await startApp({ env, database });
  return {
    app,
    match: () => matchDeliveries(app.services),
    async webhook({ connectionId, key }, number) {
      const { uuid } = await database.db('environments').where({ id: 1 }).first('uuid');
      const send = hookSender(client(app.url), { path: `/webhook/${uuid}/${key}`, key, secret: undefined });
      const keys = [{ by: 'connectionId', value: connectionId }];
      mustBe(200, await send({ number, keys }, { headers: { 'x-hook-id': `webhook-${number}` } }));
    },
  };
}

async function importConnection({ api }: TestApp, hook: Hook, name: string): Promise<Connected> {
  const credentials = { type: 'OAUTH2', access_token: newSecret(), refresh_token: newSecret() };
  mustBe(200, await api.post('/connections', { provider_config_key: hook.key, connection_id: name, credentials }));
  return { connectionId: name, key: hook.key };
}

async function known(app: TestApp, connected: Connected): Promise<KnownConnection> {
  const { credentials } = (await readConnection(app, connected, '&refresh_token=true')).body;
  return {
    ...connected,
    accessToken: credentials.access_token,
    refreshToken: credentials.refresh_token ?? credentials.raw.refresh_token,
  };
}

await setUpRun();
try {
  await main();
} finally {
  await tearDownRun();
}
