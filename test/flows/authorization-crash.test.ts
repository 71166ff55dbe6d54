import { expect } from 'chai';
import { finish, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { sweep } from '../support/canaries.ts';
import { createIntegration, createSession, readConnection, type Service } from '../support/connect.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { freePort } from '../support/free-port.ts';
import { client } from '../support/http-client.ts';
import { type ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { size } from '../support/size.ts';

interface KillPoint {
  readonly name: string;
  /** Requests to the token endpoint before the end. */
  readonly exchanges: number;
  /** Whether the connection was written. */
  readonly whole: boolean;
}

const POINTS: readonly KillPoint[] = [
  { name: 'callback-after-state', exchanges: 0, whole: false },
  { name: 'callback-after-exchange', exchanges: 1, whole: false },
  { name: 'callback-after-commit', exchanges: 1, whole: true },
];
const KILLS = size(1, 14);

describe('a service that is killed during a callback (DUR-01)', function () {
  this.timeout(60_000 * KILLS);
  let database: TestDatabase;
  let provider: FakeProvider;
  let env: Record<string, string>;

  before(async () => {
    database = await cloneDatabase();
    provider = await startFakeProvider();
    env = { ...newServiceEnv(), DATABASE_URL: database.url, SVC_LOG_LEVEL: 'debug', PORT: String(await freePort()) };
    await using first = await start();
    await createIntegration(serviceAt(first), provider);
  });

  after(async () => {
    await provider[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  function start(faultAt?: string): Promise<ServiceProcess> {
    const port = Number(env['PORT']);
    return startService({ port, env: { ...env, ...(faultAt !== undefined && { FAULT_AT: faultAt }) } });
  }

  function serviceAt({ url }: ServiceProcess): Service {
    return { url, api: client(url, env['SVC_BOOTSTRAP_API_KEY']) };
  }

  async function connectionCount(): Promise<number> {
    const [row] = await database.db('connections').count<{ count: number }[]>();
    return Number(row?.count);
  }

  for (const { name, exchanges, whole } of POINTS) {
    it(`at ${name} leaves ${whole ? 'the whole connection' : 'none'}, and a page that says how to go on`, async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const [before, calls] = [await connectionCount(), provider.ledger.of('token').length];
        const doomed = await start(`${name}:1`);
        const token = await createSession(serviceAt(doomed));
        const back = await returnFromProvider(serviceAt(doomed), { token });
        expect(await finish(back).catch(() => 'no answer')).to.equal('no answer');
        expect((await doomed.exit).signal).to.equal('SIGKILL');
        expect(provider.ledger.of('token')).to.have.length(calls + exchanges);

        await using service = await start();
        expect(await connectionCount()).to.equal(before + (whole ? 1 : 0));
        const reload = await finish(back);
        expect(reload.status).to.equal(400);
        expect(wordsOf(reload)).to.match(/^This attempt is over .* If nothing was connected, start again\.$/);
        expect(await connectionCount()).to.equal(before + (whole ? 1 : 0));
        await (whole ? expectUsable(serviceAt(service)) : expectAnotherTry(serviceAt(service), token));
        expect(
          sweep({ first: doomed.output.stdout, second: service.output.stdout, database: await database.dump() }),
        ).to.deep.equal([]);
      }
    });
  }

  async function expectUsable(service: Service): Promise<void> {
    const { body } = await service.api.get('/connections?limit=1');
    const connected = { connectionId: body.connections[0].connection_id, key: 'fake' };
    const answer = await readConnection(service, connected);
    expect(provider.grants.isLive(answer.body.credentials.access_token)).to.equal(true);
  }

  async function expectAnotherTry(service: Service, token: string): Promise<void> {
    const before = await connectionCount();
    expect((await finish(await returnFromProvider(service, { token }))).status).to.equal(200);
    expect(await connectionCount()).to.equal(before + 1);
  }
});
