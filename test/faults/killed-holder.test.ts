import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { takeOverAbandoned } from '../../core/credentials/abandoned.ts';
import { abandonedLeases } from '../../core/credentials/abandoned-store.ts';
import type { TestApp } from '../support/app.ts';
import { type Connected, connect, connectAgain, readConnection } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { startScaled } from '../support/scaled-instance.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { size } from '../support/size.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const KILLS = size(2, 200);
const CONNECTIONS = 3;
const EXPIRED_SECONDS = 3601;
/** The time for which the provider tolerates the reuse of a refresh token. */
const GRACE_SECONDS = 60;
/**
 * Enough, on a loaded machine, for the two seconds and one poll that replacing the tokens takes. Waiting until the leases expire
 * would take a minute and a half.
 */
const REPLACED_WITHIN_MS = 10_000;
/** The response time of the provider. The kill comes at a random moment of this time, or a little later. */
const RESPONSE_MS = 150;
const LATEST_KILL_MS = 250;

describe('an instance that is killed while it holds leases', function () {
  this.timeout(size(90_000, 3_600_000));
  const installation = use(this, () => Installation.open());
  const provider = use(this, () => startFakeProvider({ rotation: 'grace', graceSeconds: GRACE_SECONDS }));
  let survivor: TestApp;
  let connections: Connected[];

  before(async () => {
    survivor = await installation.startApp();
    connections = [await connect(survivor, provider)];
    while (connections.length < CONNECTIONS) connections.push(await connectAgain(survivor));
  });
  it(`is replaced within the grace period of the provider: ${KILLS} kills at random points`, async () => {
    const random = new SeededRandom(71).next;
    provider.always('token', { delayMs: RESPONSE_MS / 2 });
    for (let kill = 0; kill < KILLS; kill += 1) {
      await installation.advance(EXPIRED_SECONDS);
      await killAfter(random() * LATEST_KILL_MS);
      const begun = performance.now();
      const reads = await Promise.all(connections.map((connected) => readConnection(survivor, connected)));
      expect(performance.now() - begun, 'milliseconds').to.be.below(REPLACED_WITHIN_MS);
      for (const { status, body } of reads) {
        expect(status).to.equal(200);
        expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
      }
    }
    for (const connected of connections)
      expect(await storedConnection(installation.db, connected)).to.include({ state: 'healthy', refresh_owner: null });
  });

  it('is replaced although nobody asks for its connections', async () => {
    const held = new Barrier();
    provider.always('token', { responseBarrier: held });
    await using victim = await startScaled(installation, 1);
    const asked = connections.map((connected) => readConnection(victim, connected, '&force_refresh=true').catch(() => undefined));
    await held.arrived(CONNECTIONS);
    await victim.program.kill();
    await Promise.all(asked);
    held.open();
    for (const connected of connections)
      expect((await storedConnection(installation.db, connected)).refresh_owner, 'the lease is left behind').to.be.a('string');
    // Postgres notices a moment later that the session of a killed process has ended. In operation, workers look for abandoned
    // leases repeatedly; the test does it once, so it waits first.
    const { times } = survivor.services.refreshing;
    await until('the server has heard', async () => (await abandonedLeases(installation.db, times)).length === CONNECTIONS);
    const begun = performance.now();
    await takeOverAbandoned(survivor.services);
    expect(performance.now() - begun, 'milliseconds').to.be.below(REPLACED_WITHIN_MS);
    for (const connected of connections) {
      expect(await storedConnection(installation.db, connected)).to.include({ state: 'healthy', refresh_owner: null });
      const { body } = await readConnection(survivor, connected);
      expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
    }
  });

  /** Starts an instance, reads every connection through it, and kills it after `milliseconds`. */
  async function killAfter(milliseconds: number): Promise<void> {
    await using victim = await startScaled(installation, 1);
    const asked = connections.map((connected) => readConnection(victim, connected).catch(() => undefined));
    await wait(milliseconds);
    await victim.program.kill();
    await Promise.all(asked);
  }
});
