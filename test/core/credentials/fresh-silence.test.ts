import { expect } from 'chai';
import type { StoredOAuth2 } from '../../../core/auth-modes/oauth2/stored.ts';
import { freshCredentials, releaseLeases } from '../../../core/credentials/fresh.ts';
import { storeRenewed } from '../../../core/credentials/outcome-store.ts';
import { refreshDue } from '../../support/due-work.ts';
import { oauth2Of } from '../../support/oauth2-of.ts';
import { type NewTokens, RULE, useGateway } from './gateway.ts';
import { REFUSAL, refusalOf } from './refusals.ts';

describe('fresh credentials', function () {
  const { gateway } = useGateway(this);

  const connect = (tokens?: NewTokens) => gateway.connect(tokens);

  describe('when the response was lost', () => {
    it('are refreshed at the next attempt if the provider does not rotate refresh tokens', async () => {
      gateway.provider.settings.rotation = 'none';
      const connection = await connect();
      gateway.provider.next('token', { delivery: 'reset' });
      await refusalOf(freshCredentials(gateway.deps, connection));
      expect(await gateway.row(connection.id)).to.include({ refresh_unknown: true, state_cause: 'answer_lost' });
      await gateway.advance(2);
      expect(await freshCredentials(gateway.deps, await gateway.read(connection.id))).to.include({ state: 'healthy' });
      expect(await gateway.row(connection.id)).to.include({ refresh_unknown: false });
    });

    it('are refreshed by a worker within seconds, although the stored token is valid for long, while reuse is tolerated', async () => {
      Object.assign(gateway.provider.settings, { rotation: 'grace', graceSeconds: 10 });
      const connection = await connect({ expiresInSeconds: 3_000 });
      gateway.provider.next('token', { delivery: 'reset' });
      expect(await freshCredentials(gateway.deps, connection, { force: true })).to.include({ generation: 1 });
      expect(await gateway.row(connection.id)).to.include({ refresh_unknown: true, state_cause: 'answer_lost' });
      await gateway.advance(2);
      await refreshDue(gateway.deps);
      expect(await gateway.row(connection.id)).to.include({ refresh_unknown: false, state: 'healthy', generation: 2 });
    });

    it('need the user, with a cause of their own, if the provider rotates refresh tokens strictly', async () => {
      const connection = await connect();
      gateway.provider.next('token', { delivery: 'reset_inside' });
      await refusalOf(freshCredentials(gateway.deps, connection));
      await gateway.advance(2);
      expect(await refusalOf(freshCredentials(gateway.deps, await gateway.read(connection.id)))).to.have.property(
        'code',
        'invalid_credentials',
      );
      expect(await gateway.row(connection.id)).to.include({ state: 'needs_reauth', state_cause: 'rotation_response_lost' });
      expect(gateway.tokenCalls).to.equal(2);
    });
  });

  describe('when a lease expires', () => {
    it('are waited for until a minute after the end of the lease, then requested again', async () => {
      const connection = await connect();
      await gateway.lease(connection.id, 'dead/x', -59.4);
      const renewed = await freshCredentials(gateway.deps, connection);
      expect(renewed).to.include({ generation: 2, state: 'healthy' });
      expect(await gateway.row(connection.id)).to.include({ refresh_unknown: false });
    });

    it('are not waited for while the stored token still works', async () => {
      const connection = await connect({ expiresInSeconds: 60 });
      await gateway.lease(connection.id, 'dead/x', 30);
      const begun = performance.now();
      expect(await freshCredentials(gateway.deps, connection)).to.equal(connection);
      expect(performance.now() - begun).to.be.below(8_000);
      await gateway.lease(connection.id, null);
      await releaseLeases(gateway.deps);
    });

    it('are left alone for up to an hour while the session of the lease\u2019s owner exists', async () => {
      const connection = await connect();
      gateway.standing.add('stopped');
      await gateway.lease(connection.id, 'stopped/x', -300);
      const asked = freshCredentials(gateway.deps, connection);
      // If the instance claimed the lease too early, it would do so while the row is read these hundred times.
      for (let look = 0; look < 100; look += 1)
        expect(await gateway.row(connection.id)).to.include({ refresh_owner: 'stopped/x' });
      expect(gateway.tokenCalls).to.equal(0);
      await gateway.database.db('refreshes').update({ leased_at: gateway.fromNow(-3_601) });
      expect(oauth2Of(await asked).accessToken).to.not.equal(oauth2Of(connection).accessToken);
    });

    it('need the user at once when the next call is refused, because the outcome of the lost call is unknown', async () => {
      const connection = await connect();
      gateway.provider.always('token', REFUSAL);
      await gateway.lease(connection.id, 'silent/x', -61);
      expect(await refusalOf(freshCredentials(gateway.deps, connection))).to.have.property('code', 'invalid_credentials');
      const row = await gateway.row(connection.id);
      expect(row).to.include({ state: 'needs_reauth', state_cause: 'rotation_response_lost' });
    });

    for (const [outcome, isLive] of [
      ['healthy again', true],
      ['still over', false],
    ] as const)
      it(`are stored when they arrive late, and are ${outcome} after the refresh that checks them`, async () => {
        const connection = await connect();
        const [silent, other] = [gateway.instance('silent'), gateway.instance('other')];
        const stalled = gateway.provider.barrier('token');
        const late = freshCredentials(silent, connection).catch((error: unknown) => error);
        await stalled.arrived();
        const { refresh_owner: owner } = await gateway.row(connection.id);
        await gateway.lease(connection.id, String(owner), -61);
        gateway.provider.next('token', REFUSAL);
        expect(await refusalOf(freshCredentials(other, connection))).to.have.property('code', 'invalid_credentials');
        stalled.open();
        await late;
        expect(await gateway.row(connection.id)).to.include({ generation: 2, state: 'needs_reauth', refresh_owner: null });

        if (!isLive) gateway.provider.next('token', REFUSAL);
        expect(await refreshDue(other)).to.equal(1);
        const state = isLive ? { generation: 3, state: 'healthy' } : { generation: 2, state: 'needs_reauth' };
        expect(await gateway.row(connection.id)).to.include(state);
      });

    it('are the newer ones if a call whose lease has expired returns after they were stored', async () => {
      const connection = await connect();
      const stalled = gateway.provider.barrier('token');
      const late = freshCredentials(gateway.deps, connection);
      await stalled.arrived();
      await storeRenewed(gateway.deps, connection, {
        credentials: {
          ...oauth2Of(connection),
          accessToken: 'newer',
          refreshToken: 'newer, too',
          expiresAt: '2099-01-01T00:00:00.000Z',
        } as StoredOAuth2,
        found: {},
        rule: RULE,
      });
      stalled.open();
      expect(oauth2Of(await late).accessToken).to.equal('newer');
      expect(await gateway.row(connection.id)).to.include({ generation: 2 });
    });
  });
});
