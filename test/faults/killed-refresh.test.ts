import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { nothingStuck, presentedOnce } from '../support/checker.ts';
import { type Connected, connect, readConnection, reconnect } from '../support/connect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import type { LedgerEntry } from '../support/scripted-server/ledger.ts';
import { isLong, size } from '../support/size.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { enableWebhooks, storedWebhooks } from '../support/stored-webhooks.ts';
import { transientRows } from '../support/transient-rows.ts';
import { use } from '../support/use.ts';

const EXPIRED_SECONDS = 3601;
/** The longest time for which a killed refresh may keep others from refreshing its connection. */
const UNSTUCK_SECONDS = 60;
const ROUNDS = size(1, 20);

type Rotation = 'strict' | 'grace' | 'none';
type KillPoint = 'refresh-before-send' | 'refresh-after-send' | 'refresh-after-answer' | 'refresh-after-commit';

interface Place {
  readonly point: KillPoint;
  /** True if the provider has rotated the token but its response is lost. */
  readonly isResponseLost: boolean;
  /** The number of refresh requests of the killed process that reach the provider before that of the surviving one. */
  readonly requests: number;
}

const PLACES: readonly Place[] = [
  { point: 'refresh-before-send', isResponseLost: false, requests: 0 },
  { point: 'refresh-after-send', isResponseLost: true, requests: 1 },
  { point: 'refresh-after-answer', isResponseLost: true, requests: 1 },
  { point: 'refresh-after-commit', isResponseLost: false, requests: 1 },
];
const ROTATIONS: readonly Rotation[] = ['strict', 'grace', 'none'];

/**
 * Returns how the provider rotates refresh tokens in the tests of a kill point. If no response is lost, this makes no difference,
 * so one way is enough in an everyday run.
 */
function rotationsOf({ point, isResponseLost }: Place): readonly Rotation[] {
  if (isLong) return ROTATIONS;
  if (!isResponseLost) return ['strict'];
  return point === 'refresh-after-send' ? ['strict', 'grace'] : ['strict', 'none'];
}

describe('a service that is killed in the middle of a refresh (REF-02)', function () {
  this.timeout(size(60_000, 240_000));
  const installation = use(this, () => Installation.open());
  let survivor: TestApp;

  before(async () => {
    survivor = await installation.startApp();
    await enableWebhooks(installation.db, { on_new_connection: false });
  });
  for (const place of PLACES) {
    for (const rotation of rotationsOf(place)) {
      const needsUser = rotation === 'strict' && place.isResponseLost;
      const outcome = needsUser ? 'requires a new authorization, and says why' : 'leaves a healthy connection';
      it(`${outcome}: ${place.point}, rotation ${rotation}`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) await killOnce(place, rotation, `${place.point}-${rotation}-${round}`);
      });
    }
  }

  async function killOnce(place: Place, rotation: Rotation, key: string): Promise<void> {
    await using provider = await startFakeProvider({ rotation });
    const connected = await connect(survivor, provider, key);
    await installation.advance(EXPIRED_SECONDS);
    await killInside(place, provider, connected);

    const left = await storedConnection(installation.db, connected);
    expect(left.state, 'no verdict without a second try').to.equal('healthy');
    expect(left.refresh_owner === null).to.equal(place.point === 'refresh-after-commit');
    expect(refreshes(provider)).to.have.lengthOf(place.requests);

    await installation.advance(UNSTUCK_SECONDS);
    const killed = new Set(refreshes(provider));
    const isOver = rotation === 'strict' && place.isResponseLost;
    await (isOver ? expectUserNeeded(provider, connected) : expectHealthy(provider, connected));
    const webhooks = (await storedWebhooks(survivor.services)).filter(
      ({ connectionId }) => connectionId === connected.connectionId,
    );
    expect(webhooks.map(({ body }) => [body.operation, body.success])).to.deep.equal(isOver ? [['refresh', false]] : []);
    expect(presentedOnce(refreshes(provider), (entry) => killed.has(entry))).to.deep.equal([]);
    expect(nothingStuck(await transientRows(installation.db), new Date())).to.deep.equal([]);
  }

  /**
   * Reads the connection from a process that kills itself during the refresh. Afterwards only the row shows what it was doing.
   */
  async function killInside({ point }: Place, provider: FakeProvider, connected: Connected): Promise<void> {
    // The victim runs no jobs, because its sweep would refresh connections of earlier tests and kill it there.
    const victim = await installation.startProcess({ FAULT_AT: `${point}:1`, SVC_ROLE: 'web' });
    // The point "after send" comes before the response, so the provider holds the response back until the victim is gone.
    const responseBarrier = new Barrier();
    if (point === 'refresh-after-send') provider.next('token', { responseBarrier });
    const response = await readConnection(victim, connected).catch((error: unknown) => error);
    expect(await victim.process.exit).to.deep.equal({ code: null, signal: 'SIGKILL' });
    expect(response).to.be.instanceOf(Error);
    responseBarrier.open();
    await Promise.all(provider.ledger.entries.map(({ ended }) => ended));
  }

  async function expectHealthy(provider: FakeProvider, connected: Connected): Promise<void> {
    const { status, body } = await readConnection(survivor, connected);
    expect(status).to.equal(200);
    expect(body.errors).to.deep.equal([]);
    expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
    expect(await storedConnection(installation.db, connected)).to.include({ state: 'healthy', refresh_unknown: false });
  }

  async function expectUserNeeded(provider: FakeProvider, connected: Connected): Promise<void> {
    expect(await readConnection(survivor, connected)).to.have.property('status', 424);
    const marked = { state: 'needs_reauth', state_cause: 'rotation_response_lost', refresh_owner: null };
    expect(await storedConnection(installation.db, connected)).to.include(marked);
    expect(refreshes(provider), 'one try with the old token, no more').to.have.lengthOf(2);

    await reconnect(survivor, connected);
    await expectHealthy(provider, connected);
  }
});

function refreshes({ ledger }: FakeProvider): LedgerEntry[] {
  return ledger.of('token').filter(({ presented }) => presented?.kind === 'refresh');
}
