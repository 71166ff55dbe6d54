import { expect } from 'chai';
import { newAccountKey } from '../../core/kit/random-id.ts';
import { rememberSecret, sweep } from '../support/canaries.ts';
import { type Connected, connect, connectAgain, readConnection, type Service, throughProxy } from '../support/connect.ts';
import { emptyDatabase } from '../support/database.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { type Client, type ClientAnswer, client } from '../support/http-client.ts';
import { checkOutPreviousRelease } from '../support/previous-release.ts';
import { type ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { size } from '../support/size.ts';
import { skipBecause } from '../support/skip.ts';
import { storeReceiver } from '../support/stored.ts';

const TOGETHER_MS = size(4_000, 60_000);

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
    const env = { ...newServiceEnv(), SVC_BOOTSTRAP_ACCOUNT_KEY: account, DATABASE_URL: database.url };
    await using old = await previous.start({ env });
    const of = (name: Instance['name'], { url }: ServiceProcess): Instance => {
      return { name, url, api: client(url, env.SVC_BOOTSTRAP_API_KEY), account: client(url, account) };
    };
    const before = of('old', old);
    const connections = [await connect(before, provider)];
    await using fresh = await startService({ env });
    const instances = [before, of('new', fresh)];

    const failures: string[] = [];
    const until = performance.now() + TOGETHER_MS;
    for (let round = 0; performance.now() < until || round < 2; round += 1) {
      for (const instance of instances) failures.push(...(await useAll(instance, { instances, connections, round })));
    }
    expect(failures).to.deep.equal([]);
    expect([...sweep(old.output), ...sweep(fresh.output)]).to.deep.equal([]);
  });
});

interface World {
  readonly instances: readonly Instance[];
  readonly connections: Connected[];
  readonly round: number;
}

/** Everything whose stored form changed, written by one and read by both. @returns what failed */
async function useAll(by: Instance, { instances, connections, round }: World): Promise<string[]> {
  const failures: string[] = [];
  const note = (what: string, answer: ClientAnswer) => {
    if (answer.status >= 300) failures.push(`${by.name}, round ${round}: ${what}: ${answer.status} ${answer.text}`);
    return answer;
  };
  connections.push(await connectAgain(by));
  const separator = by.name === 'old' ? ',' : ' ';
  note('patch', await by.api.patch('/integrations/fake', { integration_config: { scope_separator: separator } }));
  const receiver = await storeReceiver(by.api);
  const renamed = `${receiver}-renamed`;
  note('rename', await by.api.patch(`/integrations/${receiver}`, { unique_key: renamed }));
  const { data } = note('address', await by.api.get(`/integrations/${renamed}?include=webhook`)).body;
  const address = new URL(data.webhook_url).pathname;
  const wanted = { environment_id: 1, display_name: `${by.name} ${round}`, scopes: ['environment:connections:list'] };
  const { secret = '' } = note('key', await by.account.post('/environment/api-keys', wanted)).body.data ?? {};
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
