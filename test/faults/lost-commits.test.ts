import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { startApp } from '../support/app.ts';
import { finish, returnFromProvider } from '../support/authorization.ts';
import { createIntegration, createReconnectSession } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { COMMIT, relayTo } from '../support/database-relay.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import type { Client } from '../support/http-client.ts';
import { size } from '../support/size.ts';
import { storeConnection } from '../support/stored.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { use } from '../support/use.ts';

/** The number of times that each operation loses the response to its COMMIT. */
const CUTS = size(3, 300);

/** A caller's request: first it is prepared, then it is sent while the service's database connection is cut at one COMMIT. */
interface Operation {
  readonly prepare: () => Promise<() => Promise<{ readonly status: number; readonly text: string }>>;
  /** By table, the number of rows that one successful request adds. */
  readonly makes: Readonly<Record<string, number>>;
  /** The number of the request's transactions, each of which loses the response to its COMMIT in turn. The default is 1. */
  readonly commits?: number;
}

describe('an operation whose COMMIT loses its answer (DUR-04)', function () {
  const database = use(this, cloneDatabase);
  const relay = use(this, () => relayTo(database));
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startApp({ database: relay.database }));
  this.timeout(60_000 + 2_000 * CUTS);
  let account: Client;

  before(async () => {
    account = app.client(app.accountKey);
    await createIntegration(app, provider);
    await enableWebhooks(database.db, { webhook_url: 'https://app.example/webhooks' });
  });

  const ready = (work: () => Promise<{ readonly status: number; readonly text: string }>) => async () => work;
  const IMPORT = { provider_config_key: 'fake', credentials: { type: 'OAUTH2', access_token: 'token' } };

  const operations: Readonly<Record<string, Operation>> = {
    'an import without ID': {
      prepare: ready(() => app.api.post('/connections', IMPORT)),
      makes: { connections: 1, webhook_messages: 1 },
    },
    'a connect session': { prepare: ready(() => app.api.post('/connect/sessions', {})), makes: { connect_sessions: 1 } },
    'an integration': {
      prepare: ready(() => app.api.post('/integrations', { unique_key: randomUUID(), provider: 'github' })),
      makes: { integrations: 1 },
    },
    'an environment': {
      prepare: ready(() => account.post('/environments', { name: randomUUID() })),
      makes: { environments: 1, api_keys: 1 },
    },
    'an API key': {
      prepare: ready(() => account.post('/environment/api-keys', { environment_id: 1, display_name: randomUUID() })),
      makes: { api_keys: 1 },
    },
    'a callback': {
      prepare: async () => {
        const back = await returnFromProvider(app);
        return () => finish(back);
      },
      makes: { connections: 1, webhook_messages: 1 },
      commits: 2,
    },
    'a callback of a reconnect': {
      prepare: async () => {
        const connected = await storeConnection(app, { key: 'fake' });
        const back = await returnFromProvider(app, { token: await createReconnectSession(app, connected) });
        return () => finish(back);
      },
      makes: { connections: 0, webhook_messages: 1 },
      commits: 2,
    },
    'a deletion': {
      prepare: async () => {
        const { connectionId } = await storeConnection(app, { key: 'fake' });
        return () => app.api.delete(`/connections/${connectionId}?provider_config_key=fake`);
      },
      makes: { connections: -1, webhook_messages: 1 },
      commits: 2,
    },
  };

  for (const [what, operation] of Object.entries(operations)) {
    it(`is done once and reported as done: ${what}`, async () => {
      for (let cut = 0; cut < CUTS; cut += 1) await expectDone(operation, cut % (operation.commits ?? 1));
    });

    it(`is not done and reported as failed when the server never gets the COMMIT: ${what}`, async () => {
      for (let cut = 0; cut < CUTS; cut += 1) await expectUndone(operation);
    });
  }

  async function expectDone({ prepare, makes }: Operation, skip: number): Promise<void> {
    const work = await prepare();
    const before = await counts(database.db, makes);
    const hasCut = relay.cutAt({ statement: COMMIT, moment: 'after', skip });
    const response = await work();
    await hasCut;
    expect(response.status, response.text).to.be.within(200, 201);
    expect(await gained(makes, before)).to.deep.equal(makes);
    expect(await reportedFailures()).to.equal(0);
  }

  async function expectUndone({ prepare, makes }: Operation): Promise<void> {
    const work = await prepare();
    const before = await counts(database.db, makes);
    const hasCut = relay.cutAt({ statement: COMMIT, moment: 'before' });
    const response = await work();
    await hasCut;
    expect(response.status, response.text).to.be.oneOf([400, 503]);
    const none = Object.fromEntries(Object.keys(makes).map((table) => [table, 0]));
    expect(await gained(makes, before)).to.deep.equal(none);
  }

  async function gained(makes: Operation['makes'], before: Readonly<Record<string, number>>) {
    const after = await counts(database.db, makes);
    return Object.fromEntries(Object.keys(makes).map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)]));
  }

  async function reportedFailures(): Promise<number> {
    return (await database.db('operation_log').where({ type: 'auth', status: 'failure' })).length;
  }
});

async function counts(db: Knex, tables: object): Promise<Readonly<Record<string, number>>> {
  const entries = Object.keys(tables).map(async (table) => [table, Number((await db(table).count())[0]?.['count'])] as const);
  return Object.fromEntries(await Promise.all(entries));
}
