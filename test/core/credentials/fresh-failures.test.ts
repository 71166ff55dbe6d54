import { expect } from 'chai';
import { PluginError } from '#contract';
import type { StoredOAuth2 } from '../../../core/auth-modes/oauth2/stored.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import type { CredentialsDeps } from '../../../core/credentials/deps.ts';
import { freshCredentials } from '../../../core/credentials/fresh.ts';
import { storeRenewed } from '../../../core/credentials/outcome-store.ts';
import { oauth2Of } from '../../support/oauth2-of.ts';
import { size } from '../../support/size.ts';
import { Gateway, type NewTokens, RULE, useGateway } from './gateway.ts';
import { BROKEN, REFUSAL, refusalOf } from './refusals.ts';

describe('fresh credentials', function () {
  const { gateway, database } = useGateway(this);

  const connect = (tokens?: NewTokens) => gateway.connect(tokens);

  /** Stores newer credentials as another instance with its own lease would. */
  const storeNewer = (connection: Connection) => {
    const newer = { accessToken: 'newer', expiresAt: '2099-01-01T00:00:00.000Z' };
    return storeRenewed(gateway.deps, connection, {
      credentials: { ...oauth2Of(connection), ...newer } as StoredOAuth2,
      found: {},
      rule: RULE,
    });
  };

  describe('when the provider says that the authorization is over', () => {
    it('need the user, with a state, a cause and a log entry, and no further call is made', async () => {
      const connection = await connect({ expiresInSeconds: 60 });
      gateway.provider.always('token', REFUSAL);
      expect(await refusalOf(freshCredentials(gateway.deps, connection))).to.have.property('code', 'invalid_credentials');
      expect(await refusalOf(freshCredentials(gateway.deps, await gateway.read(connection.id)))).to.have.property('status', 424);
      const row = await gateway.row(connection.id);
      expect(row).to.include({ state: 'needs_reauth', state_cause: 'refused', refresh_owner: null, generation: 1 });
      expect(await gateway.database.db('operation_log').where({ id: row['auth_error_log_id'] }).first()).to.include({
        status: 'failure',
        summary: 'the provider answered invalid_grant',
        http_status: 400,
        error_code: 'invalid_grant',
      });
      expect(gateway.tokenCalls).to.equal(1);
    });

    it('are refreshed again by force', async () => {
      const connection = await connect();
      gateway.provider.next('token', REFUSAL);
      await refusalOf(freshCredentials(gateway.deps, connection));
      const revived = await freshCredentials(gateway.deps, await gateway.read(connection.id), { force: true });
      expect(revived).to.include({ state: 'healthy', authErrorLogId: null });
      expect(await gateway.row(connection.id)).to.include({ state_cause: null });
    });

    it('are the newer ones if another instance stored them during the call', async () => {
      for (let round = 0; round < size(20, 200); round += 1) {
        const connection = await connect();
        const barrier = gateway.provider.barrier('token');
        gateway.provider.always('token', { ...REFUSAL, barrier });
        const asked = freshCredentials(gateway.deps, connection);
        await barrier.arrived();
        await storeNewer(connection);
        barrier.open();
        expect(oauth2Of(await asked).accessToken).to.equal('newer');
        expect(await gateway.row(connection.id)).to.include({ state: 'healthy', auth_error_log_id: null });
      }
    });

    it('stay as they are if another instance has taken over the lease', async () => {
      const connection = await connect();
      const barrier = gateway.provider.barrier('token');
      gateway.provider.next('token', { ...REFUSAL, barrier });
      const asked = freshCredentials(gateway.deps, connection);
      await barrier.arrived();
      await gateway.lease(connection.id, 'two/x', 20);
      barrier.open();
      gateway.provider.always('token', {});
      await gateway.database.db.raw('select 1');
      const row = await gateway.row(connection.id);
      expect(row).to.include({ state: 'healthy', refresh_owner: 'two/x' });
      await storeNewer(connection);
      expect(oauth2Of(await asked).accessToken).to.equal('newer');
    });
  });

  describe('when the provider fails', () => {
    it('are the stored ones while they work, the state names the cause, and the provider is left alone for a while', async () => {
      const connection = await connect({ expiresInSeconds: 60 });
      gateway.provider.always('token', BROKEN);
      for (let read = 0; read < 5; read += 1) {
        const served = await freshCredentials(gateway.deps, await gateway.read(connection.id));
        expect(oauth2Of(served).accessToken).to.equal(oauth2Of(connection).accessToken);
      }
      expect(gateway.tokenCalls).to.equal(1);
      expect(await gateway.row(connection.id)).to.include({
        state: 'degraded',
        state_cause: 'provider_unavailable',
        refresh_failures: 1,
      });
    });

    it('are temporarily unavailable once they have expired, and the response says when to retry', async () => {
      const connection = await connect();
      gateway.provider.always('token', { response: { status: 503, headers: { 'retry-after': '120' } } });
      expect(await refusalOf(freshCredentials(gateway.deps, connection))).to.include({
        code: 'provider_unavailable',
        retryAfterSeconds: 120,
      });
      expect(await gateway.row(connection.id)).to.include({ state: 'degraded' });
    });

    it('are not requested for as long as the provider asks, but for a day at most', async () => {
      const connection = await connect();
      gateway.provider.next('token', { response: { status: 503, headers: { 'retry-after': '8640000' } } });
      const { retryAfterSeconds } = await refusalOf(freshCredentials(gateway.deps, connection));
      expect(retryAfterSeconds).to.be.within(86_390, 86_400);
      await gateway.advance(86_401);
      expect(await freshCredentials(gateway.deps, await gateway.read(connection.id))).to.include({ state: 'healthy' });
    });

    it('are refreshed for the first caller after the wait', async () => {
      const connection = await connect();
      gateway.provider.next('token', BROKEN);
      await refusalOf(freshCredentials(gateway.deps, connection));
      await gateway.advance(2);
      expect(await freshCredentials(gateway.deps, await gateway.read(connection.id))).to.include({ state: 'healthy' });
      expect(await gateway.row(connection.id)).to.include({ refresh_failures: 0 });
    });

    it('are requested at most ten times in half an hour, and never given up', async () => {
      const connection = await connect({ expiresInSeconds: 20 * 60, lifetimeSeconds: 7200 });
      gateway.provider.always('token', BROKEN);
      const patient = { ...gateway.deps, refreshMarginSeconds: 1800 };
      for (let minute = 0; minute < 30; minute += 0.5) {
        await freshCredentials(patient, await gateway.read(connection.id)).catch(() => undefined);
        await gateway.advance(30);
      }
      expect(gateway.tokenCalls).to.be.within(5, 10);
      expect(await gateway.row(connection.id)).to.include({ state: 'degraded' });
    });

    it('are refreshed at once for the other connections of the integration when one of them succeeded', async () => {
      const [first, second] = [await connect(), await connect()];
      gateway.provider.always('token', BROKEN);
      await Promise.all([first, second].map((connection) => refusalOf(freshCredentials(gateway.deps, connection))));
      await gateway.change(second.id, { refresh_after: gateway.fromNow(500) });
      await gateway.advance(2);
      gateway.provider.always('token', {});
      await freshCredentials(gateway.deps, await gateway.read(first.id));
      expect(await freshCredentials(gateway.deps, await gateway.read(second.id))).to.include({ state: 'healthy' });
    });
  });

  describe('when the provider asked to wait', () => {
    for (const [status, cause] of [
      [503, 'retry_after'],
      [429, 'rate_limited'],
    ] as const) {
      it(`after ${status} are not requested sooner, although another connection of the integration succeeded`, async () => {
        const [asked, first] = [await connect(), await connect()];
        gateway.provider.next('token', { response: { status, headers: { 'retry-after': '600' } } });
        await refusalOf(freshCredentials(gateway.deps, asked));
        gateway.provider.next('token', BROKEN);
        await refusalOf(freshCredentials(gateway.deps, first));
        await gateway.advance(2);
        await freshCredentials(gateway.deps, await gateway.read(first.id));
        const calls = gateway.tokenCalls;
        const { code, retryAfterSeconds } = await refusalOf(freshCredentials(gateway.deps, await gateway.read(asked.id)));
        expect(code).to.equal('provider_unavailable');
        expect(retryAfterSeconds).to.be.within(590, 598);
        expect(gateway.tokenCalls).to.equal(calls);
        expect(await gateway.row(asked.id)).to.include({ state: 'degraded', state_cause: cause });
      });
    }

    it('for less than the usual wait are refreshed with the others', async () => {
      const [hasty, first] = [await connect(), await connect()];
      gateway.provider.next('token', { response: { status: 503, headers: { 'retry-after': '0' } } });
      await refusalOf(freshCredentials(gateway.deps, hasty));
      expect(await gateway.row(hasty.id)).to.include({ state_cause: 'provider_unavailable' });
      await gateway.change(hasty.id, { refresh_after: gateway.fromNow(500) });
      gateway.provider.next('token', BROKEN);
      await refusalOf(freshCredentials(gateway.deps, first));
      await gateway.advance(2);
      await freshCredentials(gateway.deps, await gateway.read(first.id));
      expect(await freshCredentials(gateway.deps, await gateway.read(hasty.id))).to.include({ state: 'healthy' });
    });
  });

  describe('when the notice cannot be published', () => {
    let deps: CredentialsDeps;

    beforeEach(() => {
      const publish = () => Promise.reject(new Error('the notice is lost'));
      deps = { ...gateway.deps, notices: { ...gateway.deps.notices, publish } };
    });

    it('are the new ones nevertheless, and no lease is left', async () => {
      const renewed = await freshCredentials(deps, await connect());
      expect(renewed).to.include({ generation: 2, state: 'healthy' });
      expect([...deps.refreshing.held]).to.deep.equal([]);
    });

    it('are the stored ones after a failure, and no lease is left', async () => {
      const connection = await connect({ expiresInSeconds: 60 });
      gateway.provider.next('token', BROKEN);
      expect(await freshCredentials(deps, connection)).to.include({ generation: 1 });
      expect([...deps.refreshing.held]).to.deep.equal([]);
    });
  });

  for (const body of ['', '<html>', '{"access_token":"new","expires_in":36', '{"access_token":7}', '{"error":"server_error"}']) {
    it(`stay the same byte for byte after the response ${body === '' ? 'of nothing' : body}`, async () => {
      const connection = await connect();
      const before = await gateway.row(connection.id);
      gateway.provider.next('token', { response: { status: 200, body } });
      expect(await refusalOf(freshCredentials(gateway.deps, connection))).to.have.property('code', 'provider_unavailable');
      const after = await gateway.row(connection.id);
      expect(after['credentials']).to.deep.equal(before['credentials']);
      expect(after).to.include({ state: 'degraded', generation: 1 });
    });
  }

  describe('when the plugin has a refresh of its own', () => {
    it('are those that it returns, with the old refresh token if it returns none', async () => {
      const refresh = async () => ({ accessToken: 'by plugin', expiresAt: new Date(Date.now() + 3_600_000), raw: { a: 1 } });
      await using own = await Gateway.open({ database, rules: { refresh } });
      const connection = await own.connect();
      const { credentials } = await freshCredentials(own.instance(), connection);
      const { refreshToken } = oauth2Of(connection);
      expect(credentials).to.deep.include({ accessToken: 'by plugin', refreshToken, raw: { a: 1 } });
      expect(own.tokenCalls).to.equal(0);
    });

    it('need the user when the plugin says so', async () => {
      const refresh = () => Promise.reject(new PluginError('invalid_credentials', 'gone'));
      await using own = await Gateway.open({ database, rules: { refresh } });
      expect(await refusalOf(freshCredentials(own.instance(), await own.connect()))).to.have.property(
        'code',
        'invalid_credentials',
      );
    });

    it('are the stored ones while they work if the plugin has a bug', async () => {
      const refresh = () => Promise.reject(new TypeError('x is not a function'));
      await using own = await Gateway.open({ database, rules: { refresh } });
      const connection = await own.connect({ expiresInSeconds: 60 });
      const served = await freshCredentials(own.instance(), connection);
      expect(oauth2Of(served).accessToken).to.equal(oauth2Of(connection).accessToken);
    });
  });
});
