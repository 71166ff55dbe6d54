import { expect } from 'chai';
import { newAccountKey } from '../../core/kit/random-id.ts';
import { canary, rememberSecret, sweep } from '../support/canaries.ts';
import { type Connected, connect, connectAgain, mustBe, readConnection, type Service, throughProxy } from '../support/connect.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeApplication, startFakeApplication } from '../support/fake-application.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { createHook, type Hook, hookSender, makeHooked } from '../support/hooked.ts';
import { type Client, type ClientResponse, client } from '../support/http-client.ts';
import { BEFORE_SCRIPT_QUEUE, checkOutPreviousRelease } from '../support/previous-release.ts';
import { type ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { size } from '../support/size.ts';
import { skipBecause } from '../support/skip.ts';
import { storeReceiver } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { deploy } from '../support/user-scripts.ts';

const HOOKED = ['one', 'two'] as const;
const WEBHOOK_SCRIPT = `export const webhookSubscriptions = ['*'];
export async function onWebhook(svc, event) { svc.log('got', { number: event.payload.number }); }`;
const SLOW_SCRIPT = WEBHOOK_SCRIPT.replace('svc.log', 'await new Promise((wake) => setTimeout(wake, 300)); svc.log');
const TOGETHER_MS = size(2_000, 60_000);

interface Instance extends Service {
  readonly name: 'old' | 'new';
  readonly account: Client;
}

describe('the release before beside this one', function () {
  this.timeout(TOGETHER_MS + 60_000);

  it('and this one understand what the other writes', async function () {
    using previous = checkOutPreviousRelease();
    if (previous === undefined) skipBecause(this, 'the history of this checkout does not go back to the release before');
    await using database = await emptyDatabase();
    await using provider = await startFakeProvider();
    const account = rememberSecret('account key', newAccountKey());
    await using application = await startFakeApplication();
    await using hooked = await makeHooked();
    const env = { ...newServiceEnv(), ...hooked.env, SVC_BOOTSTRAP_ACCOUNT_KEY: account, DATABASE_URL: database.url };
    await using old = await previous.start({ env });
    const of = (name: Instance['name'], { url }: ServiceProcess): Instance => {
      return { name, url, api: client(url, env.SVC_BOOTSTRAP_API_KEY), account: client(url, account) };
    };
    const before = of('old', old);
    const connections = [await connect(before, provider)];
    const hook = await prepareWebhooks(before, { database, webhookUrl: application.url, script: WEBHOOK_SCRIPT });
    await using fresh = await startService({ env });
    const instances = [before, of('new', fresh)];

    const failures: string[] = [];
    let rounds = 0;
    const end = performance.now() + TOGETHER_MS;
    for (; performance.now() < end || rounds < 2; rounds += 1) {
      for (const instance of instances)
        failures.push(...(await useAll(instance, { instances, connections, round: rounds, hook })));
    }
    expect(failures).to.deep.equal([]);
    await expectForwarded(database, application, rounds);
    expect([...sweep(old.output), ...sweep(fresh.output)]).to.deep.equal([]);
  });
});

describe('scripts that an older release had queued as jobs when it was killed', function () {
  this.timeout(240_000);

  it('run in this release', async function () {
    using previous = checkOutPreviousRelease(BEFORE_SCRIPT_QUEUE);
    if (previous === undefined) skipBecause(this, 'the history of this checkout does not go back to the release before');
    await using database = await emptyDatabase();
    await using application = await startFakeApplication();
    await using hooked = await makeHooked();
    const env = { ...newServiceEnv(), ...hooked.env, DATABASE_URL: database.url };
    await using old = await previous.start({ env });
    const service = { url: old.url, api: client(old.url, env.SVC_BOOTSTRAP_API_KEY) };
    const hook = await prepareWebhooks(service, { database, webhookUrl: application.url, script: SLOW_SCRIPT });
    const jobs = () => database.db('pgboss.job').where({ name: 'script-run' });
    const keys = [{ by: 'metadata', field: 'team', value: 'blue' }];
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    await hookSender(client(old.url), hook)({ events: numbers.map((number) => ({ number, keys })) });
    await until('some run', async () => (await jobs().where({ state: 'active' })).length > 0);
    old.signal('SIGKILL');
    await old.exit;
    const running = await jobs().where({ state: 'active' });
    const waiting = await jobs().whereIn('state', ['created', 'retry']);
    expect(running.length, 'that were running').to.be.above(0);
    expect(waiting.length, 'that were waiting').to.be.above(0);

    await using fresh = await startService({ env });
    // The queue of the release before makes those that were running due again when their process has been silent, which takes a minute.
    const expected = size(waiting.length, numbers.length * HOOKED.length);
    const done = async () => (await database.db('script_runs')).length;
    await until('they have run', async () => (await done()) >= expected, size(60_000, 180_000));
    expect(sweep(fresh.output)).to.deep.equal([]);
  });
});

interface World {
  readonly instances: readonly Instance[];
  readonly connections: Connected[];
  readonly round: number;
  readonly hook: Hook;
}

interface Forwarding {
  readonly database: TestDatabase;
  readonly webhookUrl: string;
  readonly script: string;
}

/** An integration whose webhooks are for two connections, with a script. */
async function prepareWebhooks(by: Service, { database: { db }, webhookUrl, script }: Forwarding): Promise<Hook> {
  const { uuid } = await db('environments').where({ id: 1 }).first('uuid');
  const hook = await createHook(by.api, uuid);
  await db('environments').where({ id: 1 }).update({ webhook_url: webhookUrl });
  for (const connectionId of HOOKED) {
    const credentials = { type: 'OAUTH2', access_token: canary('imported token') };
    const imported = { provider_config_key: hook.key, connection_id: connectionId, credentials, metadata: { team: 'blue' } };
    mustBe(200, await by.api.post('/connections', imported));
  }
  await deploy(by, { event: 'on-webhook', source: script, key: hook.key });
  return hook;
}

/** Everything whose stored form changed, written by one and read by both. @returns what failed */
async function useAll(by: Instance, { instances, connections, round, hook }: World): Promise<string[]> {
  const failures: string[] = [];
  const note = (what: string, response: ClientResponse) => {
    if (response.status >= 300) failures.push(`${by.name}, round ${round}: ${what}: ${response.status} ${response.text}`);
    return response;
  };
  connections.push(await connectAgain(by));
  const event = { number: numberOf(by, round), keys: [{ by: 'metadata', field: 'team', value: 'blue' }] };
  note('webhook', await hookSender(client(by.url), hook)({ events: [event] }));
  const separator = by.name === 'old' ? ',' : ' ';
  note('patch', await by.api.patch('/integrations/fake', { integration_config: { scope_separator: separator } }));
  const receiver = await storeReceiver(by.api);
  const renamed = `${receiver}-renamed`;
  note('rename', await by.api.patch(`/integrations/${receiver}`, { unique_key: renamed }));
  const { data } = note('address', await by.api.get(`/integrations/${renamed}?include=webhook`)).body;
  const address = new URL(data.webhook_url).pathname;
  const input = { environment_id: 1, display_name: `${by.name} ${round}`, scopes: ['environment:connections:list'] };
  const { secret = '' } = note('key', await by.account.post('/environment/api-keys', input)).body.data ?? {};
  rememberSecret('API key', secret);
  for (const reader of instances) {
    note(`webhook at ${reader.name}`, await client(reader.url).post(address, { round }));
    note(`key at ${reader.name}`, await client(reader.url, secret).get('/connections'));
    for (const connected of connections.slice(-3)) {
      note(`read at ${reader.name}`, await readConnection(reader, connected));
      note(`refresh at ${reader.name}`, await readConnection(reader, connected, '&force_refresh=true'));
      note(`proxy at ${reader.name}`, await throughProxy(reader, connected, { path: '/me' }));
    }
    if (by.name === 'new' && reader.name === 'new')
      note('webhook at the old address', await client(reader.url).post(address.replace(renamed, receiver), { round }));
  }
  await storeReceiver(by.api, receiver);
  note('deletion', await by.api.delete(`/integrations/${renamed}`));
  return failures;
}

/** Of the webhook that is sent to an instance in a round. */
function numberOf({ name }: Instance, round: number): number {
  return 2 * round + (name === 'old' ? 0 : 1);
}

/**
 * Whoever matched, sent or ran it: each webhook has arrived once for each connection, and its script has run for each. The release
 * before may claim a script that this one claimed milliseconds ago, so it may run twice.
 */
async function expectForwarded({ db }: TestDatabase, { ledger }: FakeApplication, rounds: number): Promise<void> {
  const numbers = Array.from({ length: 2 * rounds }, (_, number) => number);
  const all = numbers.flatMap((number) => HOOKED.map((connectionId) => `${connectionId} ${number}`));
  const runs = async (): Promise<string[]> => {
    const rows: { connection_id: string; log: { facts: { number: number } }[] }[] = await db('script_runs');
    return [...new Set(rows.map((run) => `${run.connection_id} ${run.log[0]?.facts.number}`))];
  };
  const forwards = () =>
    ledger.entries.map(({ body }) => JSON.parse(body.toString())).filter((one) => one.providerConfigKey === 'hook');
  await until('all are delivered', () => forwards().length >= all.length, 20_000);
  await until('all scripts have run', async () => (await runs()).length >= all.length, 20_000);
  expect(forwards().map(({ connectionId, payload }) => `${connectionId} ${payload.number}`)).to.have.members(all);
  expect(await runs()).to.have.members(all);
}
