import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { finish, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { sweep } from '../support/canaries.ts';
import { allDelivered, type Delivery, nothingInvented, oneIdEach } from '../support/checker.ts';
import { TestClock } from '../support/clock.ts';
import { createIntegration, createSession, readConnection, type Service } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { startFakeApplication } from '../support/fake-application.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { freePort } from '../support/free-port.ts';
import { client } from '../support/http-client.ts';
import { type ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { size } from '../support/size.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { use } from '../support/use.ts';

interface KillPoint {
  readonly name: string;
  /** The number of requests to the token endpoint before the process is killed. */
  readonly exchanges: number;
  /** True if the connection is stored before the process is killed. */
  readonly whole: boolean;
  /** The number of webhooks that the application receives before the process is killed. */
  readonly sent: number;
}

const POINTS: readonly KillPoint[] = [
  { name: 'callback-after-state', exchanges: 0, whole: false, sent: 0 },
  { name: 'callback-after-exchange', exchanges: 1, whole: false, sent: 0 },
  { name: 'callback-after-commit', exchanges: 1, whole: true, sent: 0 },
  { name: 'webhook-after-send', exchanges: 1, whole: true, sent: 1 },
];
const KILLS = size(1, 50);
/**
 * How soon the webhook must arrive by the clock of the database, which the test advances faster than real time. An attempt whose
 * process died is repeated after half a minute.
 */
const NOTIFIED_WITHIN_SECONDS = 120;
const FASTER_SECONDS = 2;
const POLL_MS = 50;

describe('a service that is killed during a callback (DUR-01)', function () {
  const database = use(this, cloneDatabase);
  const provider = use(this, startFakeProvider);
  const application = use(this, startFakeApplication);
  this.timeout(60_000 * KILLS);
  const clock = new TestClock();
  let env: Record<string, string>;

  before(async () => {
    env = { ...newServiceEnv(), DATABASE_URL: database.url, SVC_LOG_LEVEL: 'debug', PORT: String(await freePort()) };
    await using first = await start();
    await createIntegration(serviceAt(first), provider);
    await enableWebhooks(database.db, { webhook_url: application.url });
  });

  function start(faultAt?: string): Promise<ServiceProcess> {
    const port = Number(env['PORT']);
    return startService({ port, env: { ...env, ...(faultAt !== undefined && { FAULT_AT: faultAt }) } });
  }

  function serviceAt({ url }: ServiceProcess): Service {
    return { url, api: client(url, env['SVC_BOOTSTRAP_API_KEY']) };
  }

  async function connectionIds(): Promise<string[]> {
    return database.db('connections').pluck('connection_id');
  }

  const deliveries = (): Delivery[] =>
    application.ledger.entries.map(({ body, headers }) => {
      const { operation, success, connectionId } = JSON.parse(body.toString());
      return { event: `${operation} ${success} ${connectionId}`, id: String(headers['webhook-id']) };
    });

  /**
   * Asserts that every connection gets its webhook, that no other webhook is sent, and that every connection has all of its rows.
   */
  async function expectAllNotified(): Promise<void> {
    const ids = await connectionIds();
    const events = ids.map((id) => `creation true ${id}`);
    const since = performance.now();
    const isOpen = async () =>
      allDelivered(events, deliveries()).length > 0 ||
      (await database.db('webhook_messages').whereNot({ status: 'delivered' }).first('id')) !== undefined;
    for (let seconds = 0; await isOpen(); seconds += FASTER_SECONDS) {
      expect(seconds + (performance.now() - since) / 1_000, 'a connection is without webhook').to.be.below(
        NOTIFIED_WITHIN_SECONDS,
      );
      await clock.advance(FASTER_SECONDS * 1_000, database.db);
      await wait(POLL_MS);
    }
    expect(oneIdEach(deliveries())).to.deep.equal([]);
    expect(nothingInvented(events, deliveries())).to.deep.equal([]);
    for (const [table, own] of Object.entries({ operation_log: { operation: 'creation' }, webhook_messages: {} }))
      expect(await database.db(table).where(own).pluck('connection_id'), table).to.have.members(ids);
    expect(await database.db('connect_sessions').whereNotNull('ended_at')).to.have.lengthOf(ids.length);
  }

  for (const point of POINTS) {
    const { name, whole } = point;
    const left = whole ? 'the whole connection with its webhook' : 'no connection';
    it(`at ${name} leaves ${left}, and a page that says how to go on`, async () => {
      for (let kill = 0; kill < KILLS; kill += 1) await killAt(point);
    });
  }

  async function killAt({ name, exchanges, whole, sent }: KillPoint): Promise<void> {
    const [before, calls, reported] = [
      await connectionIds(),
      provider.ledger.of('token').length,
      application.ledger.entries.length,
    ];
    const doomed = await start(`${name}:1`);
    const token = await createSession(serviceAt(doomed));
    const back = await returnFromProvider(serviceAt(doomed), { token });
    const response = await finish(back).catch(() => 'no response');
    // The page and the webhook are sent at the same time, so the page may have arrived if the webhook was sent.
    if (sent === 0) expect(response).to.equal('no response');
    expect((await doomed.exit).signal).to.equal('SIGKILL');
    expect(provider.ledger.of('token')).to.have.length(calls + exchanges);
    expect(application.ledger.entries).to.have.length(reported + sent);

    await using service = await start();
    const left = before.length + (whole ? 1 : 0);
    expect(await connectionIds()).to.have.length(left);
    const reload = await finish(back);
    const page = whole
      ? /^Connected .* You can close this tab\./
      : /^This attempt is over .* If nothing was connected, start again\.$/;
    expect(reload.status).to.equal(whole ? 200 : 400);
    expect(wordsOf(reload)).to.match(page);
    expect(await connectionIds()).to.have.length(left);
    await (whole ? expectUsable(serviceAt(service)) : expectAnotherTry(serviceAt(service), token));
    await expectAllNotified();
    expect(sweep({ first: doomed.output.stdout, second: service.output.stdout, database: await database.dump() })).to.deep.equal(
      [],
    );
    // The service is killed, because an orderly shutdown would take longer than the rest of the test.
    service.signal('SIGKILL');
  }

  async function expectUsable(service: Service): Promise<void> {
    const { body } = await service.api.get('/connections?limit=1');
    const connected = { connectionId: body.connections[0].connection_id, key: 'fake' };
    const response = await readConnection(service, connected);
    expect(provider.grants.isLive(response.body.credentials.access_token)).to.equal(true);
  }

  async function expectAnotherTry(service: Service, token: string): Promise<void> {
    const before = await connectionIds();
    expect((await finish(await returnFromProvider(service, { token }))).status).to.equal(200);
    expect(await connectionIds()).to.have.length(before.length + 1);
  }
});
