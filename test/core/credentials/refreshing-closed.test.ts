import { expect } from 'chai';
import { type FreshDeps, freshCredentials, releaseLeases } from '../../../core/credentials/fresh.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database.ts';
import { Gateway } from './gateway.ts';
import { refusalOf } from './refusals.ts';

describe('a process that is to end', () => {
  let database: TestDatabase;
  let gateway: Gateway;
  let deps: FreshDeps;

  before(async () => {
    database = await cloneDatabase();
  });
  beforeEach(async () => {
    gateway = await Gateway.open({ database });
    deps = gateway.instance();
  });
  afterEach(() => gateway[Symbol.asyncDispose]());
  after(() => database[Symbol.asyncDispose]());

  it('stores what the call under way brings, for whoever waits for it', async () => {
    const connection = await gateway.connect();
    const barrier = gateway.provider.barrier('token');
    const begun = freshCredentials(deps, connection);
    await barrier.arrived();
    deps.refreshing.close();
    const joined = freshCredentials(deps, connection, { after401: connection.generation });
    barrier.open();
    expect(await begun).to.include({ generation: 2, state: 'healthy' });
    expect(await joined).to.include({ generation: 2 });
    await releaseLeases(deps);
    expect(await gateway.row(connection.id)).to.include({ generation: 2, refresh_owner: null });
    expect(gateway.tokenCalls).to.equal(1);
  });

  it('begins no call for those who wait for a slot', async () => {
    const connections = await Promise.all(Array.from({ length: 11 }, () => gateway.connect()));
    const barrier = gateway.provider.barrier('token');
    const asked = connections.map((connection) => freshCredentials(deps, connection).catch((error: unknown) => error));
    await barrier.arrived(10);
    deps.refreshing.close();
    barrier.open();
    const refused = (await Promise.all(asked)).filter((answer) => answer instanceof Error);
    expect(refused).to.have.lengthOf(1);
    expect(refused[0]).to.include({ code: 'provider_unavailable', retryAfterSeconds: 1 });
    expect(gateway.tokenCalls).to.equal(10);
    expect(await deps.refreshing.drained(0)).to.equal(true);
  });

  it('serves what is stored while it works, even by force', async () => {
    const connection = await gateway.connect({ expiresInSeconds: 60 });
    deps.refreshing.close();
    for (const options of [{}, { force: true }, { after401: connection.generation }])
      expect(await freshCredentials(deps, connection, options)).to.include({ generation: 1 });
    expect(gateway.tokenCalls).to.equal(0);
  });

  it('sends callers elsewhere when the stored token has expired or needs its user', async () => {
    const connection = await gateway.connect();
    deps.refreshing.close();
    const elsewhere = { code: 'provider_unavailable', status: 503, retryAfterSeconds: 1 };
    expect(await refusalOf(freshCredentials(deps, connection))).to.include(elsewhere);
    await gateway.change(connection.id, { state: 'needs_reauth' });
    expect(await refusalOf(freshCredentials(deps, await gateway.read(connection.id), { force: true }))).to.include(elsewhere);
    expect(gateway.tokenCalls).to.equal(0);
  });

  it('does not wait for another instance', async () => {
    const connection = await gateway.connect();
    await gateway.change(connection.id, { refresh_owner: 'two/x', refresh_until: gateway.fromNow(30) });
    const asked = freshCredentials(deps, connection);
    deps.refreshing.close();
    expect(await refusalOf(asked)).to.include({ code: 'provider_unavailable', retryAfterSeconds: 1 });
    expect(await gateway.row(connection.id)).to.include({ refresh_owner: 'two/x' });
  });
});
