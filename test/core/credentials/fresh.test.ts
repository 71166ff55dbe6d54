import { expect } from 'chai';
import { freshCredentials, releaseLeases } from '../../../core/credentials/fresh.ts';
import { oauth2Of } from '../../support/oauth2-of.ts';
import { size } from '../../support/size.ts';
import { type NewTokens, useGateway } from './gateway.ts';
import { refusalOf } from './refusals.ts';

describe('fresh credentials', function () {
  const { gateway } = useGateway(this);

  const connect = (tokens?: NewTokens) => gateway.connect(tokens);

  it('are the stored ones before they are due, without any call', async () => {
    const connection = await connect({ expiresInSeconds: 3000 });
    expect(await freshCredentials(gateway.deps, connection)).to.equal(connection);
    expect(gateway.tokenCalls).to.equal(0);
  });

  it('are refreshed when they are about to expire, with a new generation and without a lease left', async () => {
    const connection = await connect({ expiresInSeconds: 60 });
    const renewed = await freshCredentials(gateway.deps, connection);
    expect(gateway.provider.grants.isLive(oauth2Of(renewed).accessToken)).to.equal(true);
    expect(renewed).to.include({ generation: 2, state: 'healthy' });
    expect(await gateway.row(connection.id)).to.include({ refresh_owner: null, refresh_until: null, refresh_failures: 0 });
  });

  it('are refreshed once for all callers on all instances', async () => {
    const instances = ['one', 'two', 'three'].map((id) => gateway.instance(id));
    for (let expiry = 0; expiry < size(3, 50); expiry += 1) {
      const { id } = await connect();
      const connection = await gateway.read(id);
      const callsBefore = gateway.tokenCalls;
      const asked = Array.from({ length: 60 }, (_, index) => freshCredentials(instances[index % 3] ?? gateway.deps, connection));
      const tokens = new Set((await Promise.all(asked)).map((connection) => oauth2Of(connection).accessToken));
      expect(tokens).to.have.lengthOf(1);
      expect(gateway.tokenCalls - callsBefore).to.equal(1);
    }
  });

  it('are refreshed by force at any time, once for all who force at the same moment', async () => {
    const connection = await connect({ expiresInSeconds: 3000 });
    const renewed = await Promise.all(
      Array.from({ length: 20 }, () => freshCredentials(gateway.deps, connection, { force: true })),
    );
    expect(new Set(renewed.map(({ generation }) => generation))).to.deep.equal(new Set([2]));
    expect(gateway.tokenCalls).to.equal(1);
  });

  it('after a 401 are the newer ones if there are any, and are refreshed otherwise', async () => {
    const connection = await connect({ expiresInSeconds: 3000 });
    const renewed = await freshCredentials(gateway.deps, connection, { after401: connection.generation });
    expect(renewed.generation).to.equal(2);
    const newer = await freshCredentials(gateway.deps, connection, { after401: connection.generation });
    expect(oauth2Of(newer).accessToken).to.equal(oauth2Of(renewed).accessToken);
    expect(gateway.tokenCalls).to.equal(1);
  });

  it('need the user once they have expired and cannot be refreshed', async () => {
    const connection = await connect({ refreshToken: undefined });
    expect(await refusalOf(freshCredentials(gateway.deps, connection))).to.have.property('code', 'invalid_credentials');
    expect(await gateway.row(connection.id)).to.include({ state: 'needs_reauth', state_cause: 'expired' });
  });

  it('are refused for a deleted connection', async () => {
    const connection = await connect();
    await gateway.change(connection.id, { deleted_at: gateway.fromNow(0) });
    expect(await refusalOf(freshCredentials(gateway.deps, connection))).to.have.property('code', 'unknown_connection');
  });

  it('leave no lease behind at shutdown, which waits for the call under way', async () => {
    const connection = await connect();
    const barrier = gateway.provider.barrier('token');
    const asked = freshCredentials(gateway.deps, connection);
    await barrier.arrived();
    const released = releaseLeases(gateway.deps);
    expect(await gateway.row(connection.id))
      .to.have.property('refresh_owner')
      .that.matches(/^one\//);
    barrier.open();
    await released;
    expect(await gateway.row(connection.id)).to.include({ refresh_owner: null, generation: 2 });
    await asked;
  });

  it('expire by the time of the database', async () => {
    const connection = await connect({ expiresInSeconds: 60 });
    const renewed = await freshCredentials(gateway.deps, connection);
    const { now } = (await gateway.database.db.raw('select now()')).rows[0];
    const lifetimeSeconds = ((renewed.expiresAt?.getTime() ?? 0) - now.getTime()) / 1000;
    expect(lifetimeSeconds).to.be.within(3590, 3600);
  });

  it('with a lifetime of a second are refreshed at most once a minute', async () => {
    const { id } = await connect();
    gateway.provider.always('token', { members: { expires_in: 1 } });
    for (let second = 0; second < 60; second += 5) {
      await freshCredentials(gateway.deps, await gateway.read(id));
      await gateway.advance(5);
    }
    expect(gateway.tokenCalls).to.equal(1);
    await gateway.advance(5);
    await freshCredentials(gateway.deps, await gateway.read(id));
    expect(gateway.tokenCalls).to.equal(2);
  });
});
