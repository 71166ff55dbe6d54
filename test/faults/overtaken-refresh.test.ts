import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { nothingStuck } from '../support/checker.ts';
import { type Connected, connect, readConnection, reconnect } from '../support/connect.ts';
import { refreshDue } from '../support/due-work.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import { size } from '../support/size.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { INVALID_GRANT } from '../support/token-responses.ts';
import { transientRows } from '../support/transient-rows.ts';
import { use } from '../support/use.ts';

const EXPIRED_SECONDS = 3601;
/**
 * Longer than the 30 s of a lease and the 60 s of silence after which another instance overtakes an unknown owner. The provider's
 * response may arrive for up to 120 s.
 */
const LEASE_OVER_SECONDS = 91;

describe('a refresh that another instance overtakes (REF-06)', function () {
  const installation = use(this, () => Installation.open());
  const provider = use(this, () => startFakeProvider({ rotation: 'strict' }));
  let paused: TestApp;
  let other: TestApp;
  let connected: Connected;

  before(async () => {
    [paused, other] = [await installation.startApp(), await installation.startApp()];
    connected = await connect(other, provider);
  });
  describe('and that is refused', () => {
    it('serves the newer token, and the connection stays healthy', async function () {
      this.timeout(size(20_000, 120_000));
      for (let round = 0; round < size(20, 200); round += 1) {
        const held = await holdRefresh({ refused: true });
        const { status, body } = await readConnection(other, connected);
        expect(status).to.equal(200);
        held.barrier.open();
        const late = await held.response;
        expect(late.status).to.equal(200);
        expect(late.body.credentials.access_token).to.equal(body.credentials.access_token);
        await expectHealthy();
      }
      expect(provider.ledger.of('token').filter(({ status }) => status === 400)).to.have.lengthOf(size(20, 200));
    });

    it('serves the credentials that the user authorized meanwhile', async () => {
      const held = await holdRefresh({ refused: true });
      await reconnect(other, connected);
      held.barrier.open();
      const late = await held.response;
      expect(late.status).to.equal(200);
      expect(provider.grants.isLive(late.body.credentials.access_token)).to.equal(true);
      await expectHealthy();
    });

    it('leaves no failed operation in the log', async () => {
      await Promise.all([paused, other].map(({ services }) => services.activity.flush()));
      const operations = await installation.db('operation_log').where({ type: 'refresh' }).select('status');
      expect(new Set(operations.map(({ status }) => status))).to.deep.equal(new Set(['success']));
    });
  });

  describe('and whose response comes late', () => {
    it('keeps its token, and serves it to everyone once a refresh has shown that it is valid', async () => {
      const held = await holdRefresh({ refused: false });
      provider.next('token', INVALID_GRANT);
      const refused = await readConnection(other, connected);
      expect([refused.status, refused.body.error.code]).to.deep.equal([424, 'invalid_credentials']);

      held.barrier.open();
      await held.response;
      expect(await storedConnection(installation.db, connected)).to.include({ state: 'needs_reauth', refresh_owner: null });
      await refreshDue(paused.services);
      const served = await Promise.all([paused, other].map((app) => readConnection(app, connected)));
      expect(served.map(({ status }) => status)).to.deep.equal([200, 200]);
      const [token, same] = served.map(({ body }) => body.credentials.access_token);
      expect(token).to.equal(same);
      expect(provider.grants.isLive(token)).to.equal(true);
      await expectHealthy();
    });

    it('does not replace the credentials that the user authorized meanwhile', async () => {
      const held = await holdRefresh({ refused: false });
      await reconnect(other, connected);
      const { body } = await readConnection(other, connected);
      held.barrier.open();
      const late = await held.response;
      expect(late.body.credentials.access_token).to.equal(body.credentials.access_token);
      await expectHealthy();
    });
  });

  /**
   * Starts a read whose refresh the provider has received but not answered, and whose owner's lease has expired. The owner's row
   * in `instances` is deleted, as it is missing behind a pooler, because nobody overtakes a refresh while the session that the
   * row names is open.
   */
  async function holdRefresh({ refused }: { refused: boolean }) {
    await installation.advance(EXPIRED_SECONDS);
    const barrier = new Barrier();
    provider.next('token', { ...(refused && INVALID_GRANT), barrier });
    const response = readConnection(paused, connected);
    await barrier.arrived();
    const { refresh_owner: owner } = await storedConnection(installation.db, connected);
    await installation
      .db('instances')
      .where({ id: owner?.split('/')[0] })
      .delete();
    await installation.advance(LEASE_OVER_SECONDS);
    return { barrier, response };
  }

  async function expectHealthy(): Promise<void> {
    const row = await storedConnection(installation.db, connected);
    expect(row).to.include({ state: 'healthy', state_cause: null, auth_error_log_id: null, refresh_owner: null });
    expect(nothingStuck(await transientRows(installation.db), new Date())).to.deep.equal([]);
  }
});
