import { expect } from 'chai';
import { freshCredentials, releaseLeases } from '../../../core/credentials/fresh.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { useGateway } from './gateway.ts';
import { refusalOf } from './refusals.ts';

describe('a process that is closing', function () {
  const { gateway } = useGateway(this);

  it('stores the result of the call under way for the callers who wait for it', async () => {
    const connection = await gateway.connect();
    const barrier = gateway.provider.barrier('token');
    const begun = freshCredentials(gateway.deps, connection);
    await barrier.arrived();
    gateway.deps.refreshing.close();
    const joined = freshCredentials(gateway.deps, connection, { after401: connection.generation });
    barrier.open();
    expect(await begun).to.include({ generation: 2, state: 'healthy' });
    expect(await joined).to.include({ generation: 2 });
    await releaseLeases(gateway.deps);
    expect(await gateway.row(connection.id)).to.include({ generation: 2, refresh_owner: null });
    expect(gateway.tokenCalls).to.equal(1);
  });

  it('logs the connections whose call does not end in time, and ends', async () => {
    const connection = await gateway.connect();
    const barrier = gateway.provider.barrier('token');
    const begun = freshCredentials(gateway.deps, connection);
    await barrier.arrived();
    const lines: string[] = [];
    const log = createLogger({ level: 'error', write: (line) => lines.push(line) });
    await releaseLeases({ ...gateway.deps, log }, 50);
    expect(lines).to.have.lengthOf(1);
    const { environmentId, connectionId } = connection;
    expect(JSON.parse(lines[0] ?? '')).to.deep.include({ connections: [{ environmentId, connectionId }] });
    barrier.open();
    await begun;
  });

  it('begins no call for callers who wait for a slot', async () => {
    const connections = await Promise.all(Array.from({ length: 11 }, () => gateway.connect()));
    const barrier = gateway.provider.barrier('token');
    const asked = connections.map((connection) => freshCredentials(gateway.deps, connection).catch((error: unknown) => error));
    await barrier.arrived(10);
    gateway.deps.refreshing.close();
    barrier.open();
    const refused = (await Promise.all(asked)).filter((response) => response instanceof Error);
    expect(refused).to.have.lengthOf(1);
    expect(refused[0]).to.include({ code: 'provider_unavailable', retryAfterSeconds: 1 });
    expect(gateway.tokenCalls).to.equal(10);
    expect(await gateway.deps.refreshing.drained(0)).to.equal(true);
  });

  it('serves the stored credentials while they work, even by force', async () => {
    const connection = await gateway.connect({ expiresInSeconds: 60 });
    gateway.deps.refreshing.close();
    for (const options of [{}, { force: true }, { after401: connection.generation }])
      expect(await freshCredentials(gateway.deps, connection, options)).to.include({ generation: 1 });
    expect(gateway.tokenCalls).to.equal(0);
  });

  it('asks callers to retry when the stored token has expired or needs its user', async () => {
    const connection = await gateway.connect();
    gateway.deps.refreshing.close();
    const elsewhere = { code: 'provider_unavailable', status: 503, retryAfterSeconds: 1 };
    expect(await refusalOf(freshCredentials(gateway.deps, connection))).to.include(elsewhere);
    await gateway.change(connection.id, { state: 'needs_reauth' });
    expect(await refusalOf(freshCredentials(gateway.deps, await gateway.read(connection.id), { force: true }))).to.include(
      elsewhere,
    );
    expect(gateway.tokenCalls).to.equal(0);
  });

  it('does not wait for another instance', async () => {
    const connection = await gateway.connect();
    await gateway.lease(connection.id, 'two/x', 30);
    const asked = freshCredentials(gateway.deps, connection);
    gateway.deps.refreshing.close();
    expect(await refusalOf(asked)).to.include({ code: 'provider_unavailable', retryAfterSeconds: 1 });
    expect(await gateway.row(connection.id)).to.include({ refresh_owner: 'two/x' });
  });
});
