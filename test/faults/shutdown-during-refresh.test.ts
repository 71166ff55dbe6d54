import { expect } from 'chai';
import { type Connected, connect, readConnection } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation, type RealService } from '../support/installation.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { useEach } from '../support/use.ts';

/** The age at which a token that lives an hour is due for a refresh, ten minutes before its expiry. */
const NEARLY_EXPIRED_SECONDS = 3000;
const NO_LEASE = { refresh_owner: null, refresh_until: null };

describe('a service that is stopped in the middle of a refresh', function () {
  // This hook runs before the others, so that the provider releases its response before anything is closed.
  afterEach(() => heldResponse.open());
  const installation = useEach(this, () => Installation.open());
  const provider = useEach(this, () => startFakeProvider({ rotation: 'strict' }));
  let service: RealService;
  let connected: Connected;
  let heldResponse: Barrier;

  beforeEach(async () => {
    service = await installation.startProcess();
    connected = await connect(service, provider);
    await installation.advance(NEARLY_EXPIRED_SECONDS);
    heldResponse = new Barrier();
    provider.next('token', { responseBarrier: heldResponse });
  });

  it('sends its caller the new token, stores it, gives the lease back and exits with 0', async () => {
    const asked = readConnection(service, connected, '&force_refresh=true');
    await stopMeanwhile();
    heldResponse.open();
    const { status, body } = await asked;
    expect(status).to.equal(200);
    expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
    expect(await service.process.exit).to.deep.equal({ code: 0, signal: null });
    await expectStored();
  });

  it('stores the new token and gives the lease back although its caller has left', async () => {
    const leaving = new AbortController();
    const path = `/connections/${connected.connectionId}?provider_config_key=${connected.key}`;
    const headers = { authorization: `Bearer ${installation.env.SVC_BOOTSTRAP_API_KEY}` };
    const asked = fetch(service.url + path, { headers, signal: leaving.signal }).catch(() => 'left');
    await provider.ledger.arrived('token', 2);
    leaving.abort();
    expect(await asked).to.equal('left');
    await stopMeanwhile();
    heldResponse.open();
    expect(await service.process.exit).to.deep.equal({ code: 0, signal: null });
    await expectStored();
  });

  /** Sends SIGTERM while the provider holds its response back and the service holds the lease. */
  async function stopMeanwhile(): Promise<void> {
    await provider.ledger.arrived('token', 2);
    expect((await storedConnection(installation.db, connected)).refresh_owner).to.be.a('string');
    service.process.signal('SIGTERM');
    await service.process.printed('"stopping"');
  }

  /** Asserts that another instance finds the refreshed token and needs no refresh. */
  async function expectStored(): Promise<void> {
    const row = await storedConnection(installation.db, connected);
    expect(row).to.include({ generation: 2, state: 'healthy', refresh_unknown: false, ...NO_LEASE });
    const next = await installation.startApp();
    const { status, body } = await readConnection(next, connected);
    expect(status).to.equal(200);
    expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
    expect(provider.ledger.of('token')).to.have.lengthOf(2);
  }
});
