import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { nothingStuck } from '../support/checker.ts';
import { type Connected, connect, readConnection, reconnect } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import { size } from '../support/size.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { INVALID_GRANT } from '../support/token-responses.ts';
import { transientRows } from '../support/transient-rows.ts';
import { use } from '../support/use.ts';

const EXPIRED_SECONDS = 3601;
/** Past a lease of 30 s and the 60 s of silence after it, but within the 120 s in which its owner's response may come. */
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

    it('serves what the user authorized anew meanwhile', async () => {
      const held = await holdRefresh({ refused: true });
      await reconnect(other, connected);
      held.barrier.open();
      const late = await held.response;
      expect(late.status).to.equal(200);
      expect(provider.grants.isLive(late.body.credentials.access_token)).to.equal(true);
      await expectHealthy();
    });

    it('leaves no operation that failed', async () => {
      await Promise.all([paused, other].map(({ services }) => services.activity.flush()));
      const operations = await installation.db('operation_log').where({ type: 'refresh' }).select('status');
      expect(new Set(operations.map(({ status }) => status))).to.deep.equal(new Set(['success']));
    });
  });

  describe('and whose response comes late', () => {
    it('serves its token to everyone, also to the instance that was refused meanwhile', async () => {
      const held = await holdRefresh({ refused: false });
      const callsBefore = provider.ledger.of('token').length;
      provider.next('token', INVALID_GRANT);
      const asked = readConnection(other, connected);
      await provider.ledger.arrived('token', callsBefore + 1);
      await provider.ledger.of('token').at(-1)?.ended;
      const { body } = await other.api.get('/connections');
      expect(body.connections[0].errors).to.deep.equal([]);

      held.barrier.open();
      const [late, refused] = await Promise.all([held.response, asked]);
      expect([late.status, refused.status]).to.deep.equal([200, 200]);
      expect(late.body.credentials.access_token).to.equal(refused.body.credentials.access_token);
      expect(provider.grants.isLive(late.body.credentials.access_token)).to.equal(true);
      await expectHealthy();
    });

    it('loses against what the user authorized anew meanwhile', async () => {
      const held = await holdRefresh({ refused: false });
      await reconnect(other, connected);
      const { body } = await readConnection(other, connected);
      held.barrier.open();
      const late = await held.response;
      expect(late.body.credentials.access_token).to.equal(body.credentials.access_token);
      await expectHealthy();
    });
  });

  /** A read whose refresh the provider has received and not responded to yet, by an owner whose lease is over. */
  async function holdRefresh({ refused }: { refused: boolean }) {
    await installation.advance(EXPIRED_SECONDS);
    const barrier = new Barrier();
    provider.next('token', { ...(refused && INVALID_GRANT), barrier });
    const response = readConnection(paused, connected);
    await barrier.arrived();
    await installation.advance(LEASE_OVER_SECONDS);
    return { barrier, response };
  }

  async function expectHealthy(): Promise<void> {
    const row = await storedConnection(installation.db, connected);
    expect(row).to.include({ state: 'healthy', state_cause: null, auth_error_log_id: null, refresh_owner: null });
    expect(nothingStuck(await transientRows(installation.db), new Date())).to.deep.equal([]);
  }
});
