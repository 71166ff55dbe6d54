import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { presentedOnce } from '../support/checker.ts';
import { type Connected, connect, connectAgain, readConnection } from '../support/connect.ts';
import { relayTo } from '../support/database-relay.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation, type RealService } from '../support/installation.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import { isLong, size } from '../support/size.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { until } from '../support/until.ts';
import { useEach } from '../support/use.ts';

const CONNECTIONS = size(3, 10);
const EXPIRED_SECONDS = 3601;
/**
 * Durations of outages. If the service gave up storing the tokens after a fixed number of attempts, it would do so within them.
 */
const AWAY_SECONDS = isLong ? [60, 300] : [20];
const EXIT_MS = 35_000;

describe('a database that is unavailable when refreshed tokens arrive', function () {
  this.timeout(size(60_000, 420_000));
  // This hook runs before the others, so that the database is reachable again before anything is closed.
  afterEach(() => relay.restore());
  const provider = useEach(this, () => startFakeProvider({ rotation: 'strict' }));
  const installation = useEach(this, () => Installation.open());
  const relay = useEach(this, () => relayTo(installation.database));
  let service: RealService;
  let connections: Connected[];

  beforeEach(async () => {
    service = await installation.startProcess({ DATABASE_URL: relay.database.url });
    connections = [await connect(service, provider)];
    while (connections.length < CONNECTIONS) connections.push(await connectAgain(service));
  });

  for (const seconds of AWAY_SECONDS)
    it(`costs none of the tokens, although it is unavailable for ${seconds} s`, async () => {
      await renewWhileAway();
      await wait(seconds * 1000);
      relay.restore();
      await expectRenewed();
      for (const connected of connections) {
        await until('it is served again', async () => (await readConnection(service, connected)).status === 200);
        const { body } = await readConnection(service, connected);
        expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
      }
      expect(provider.ledger.of('token')).to.have.lengthOf(2 * CONNECTIONS);
      expect(presentedOnce(provider.ledger.of('token'))).to.deep.equal([]);
    });

  it('is waited for by a service that shuts down', async () => {
    await renewWhileAway();
    service.process.signal('SIGTERM');
    await service.process.printed('"stopping"');
    relay.restore();
    await expectRenewed();
    expect(await service.process.exit).to.deep.equal({ code: 0, signal: null });
  });

  if (isLong)
    it('is not waited for longer than a shutdown may take, and the log names the lost refreshes', async () => {
      await renewWhileAway();
      const begun = performance.now();
      service.process.signal('SIGTERM');
      await service.process.exit;
      expect(performance.now() - begun).to.be.below(EXIT_MS);
      const { level, connections: named } = await service.process.logged('the process exits before these refreshes have ended');
      expect(level).to.equal('error');
      expect(named).to.have.deep.members(connections.map(({ connectionId }) => ({ environmentId: 1, connectionId })));
    });

  /** Lets the provider send every connection's new tokens while the service cannot store them. */
  async function renewWhileAway(): Promise<void> {
    await installation.advance(EXPIRED_SECONDS);
    const held = new Barrier();
    provider.always('token', { responseBarrier: held });
    for (const connected of connections) readConnection(service, connected).catch(() => undefined);
    await provider.ledger.arrived('token', 2 * CONNECTIONS);
    relay.cut();
    held.open();
    for (const { ended } of provider.ledger.of('token').slice(-CONNECTIONS)) await ended;
    for (const connected of connections)
      expect((await storedConnection(installation.db, connected)).generation, 'the new tokens are not stored yet').to.equal(1);
  }

  async function expectRenewed(): Promise<void> {
    for (const connected of connections)
      await until('it is stored', async () => (await storedConnection(installation.db, connected)).generation === 2);
  }
});
