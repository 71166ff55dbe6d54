import { expect } from 'chai';
import { canary, sweep } from '../support/canaries.ts';
import { mustBe, type Service } from '../support/connect.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { startFakeApplication } from '../support/fake-application.ts';
import { createHook, type Hook, hookSender, makeHooked } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { BEFORE_SCRIPT_QUEUE, checkOutPreviousRelease } from '../support/previous-release.ts';
import { startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { size } from '../support/size.ts';
import { skipBecause } from '../support/skip.ts';
import { until } from '../support/until.ts';
import { deploy } from '../support/user-scripts.ts';

const HOOKED = ['one', 'two'] as const;
const SLOW_SCRIPT = `export const webhookSubscriptions = ['*'];
export async function onWebhook(svc, event) {
  await new Promise((wake) => setTimeout(wake, 300));
  svc.log('got', { number: event.payload.number });
}`;

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
