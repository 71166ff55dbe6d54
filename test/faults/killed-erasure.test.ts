import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { CleaningServer, makeCleaningProvider } from '../support/cleaning.ts';
import { Installation } from '../support/installation.ts';
import { storeConnection } from '../support/stored.ts';

/** Two batches of clean-ups. */
const CONNECTIONS = 70;
const FIRST_BATCH = 64;

describe('a service that is killed while it erases an integration', function () {
  this.timeout(60_000);
  const opened = new AsyncDisposableStack();
  let installation: Installation;
  let env: Record<string, string>;
  let app: TestApp;
  let server: CleaningServer;

  before(async () => {
    server = opened.use(await CleaningServer.start());
    ({ env } = opened.use(await makeCleaningProvider()));
    installation = opened.use(await Installation.open());
    app = opened.use(await startApp({ env: { ...installation.env, ...env }, database: installation.database }));
  });

  after(() => opened.disposeAsync());

  it('leaves nothing behind: the job is taken up by another', async () => {
    await app.api.post('/integrations', {
      unique_key: 'killed',
      provider: 'cleaning',
      integration_config: { server: server.url },
    });
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => storeConnection(app, { key: 'killed' })));
    const { id } = await installation.db('integrations').where({ unique_key: 'killed' }).first('id');
    await app.api.delete('/integrations/killed');

    const victim = await installation.startProcess({ ...env, SVC_ROLE: 'all', FAULT_AT: 'erase-after-clean-up:1' });
    expect(await victim.process.exit).to.include({ signal: 'SIGKILL' });
    expect(new Set(server.cleaned)).to.have.property('size', FIRST_BATCH);
    const rows = () => installation.db('connections').where({ integration_id: id });
    expect(await rows()).to.have.length(CONNECTIONS);

    await aMomentLater();
    await installation.startProcess({ ...env, SVC_ROLE: 'all' });
    while (await installation.db('integrations').where({ id }).first('id')) await installation.advance(1);
    expect(await rows()).to.deep.equal([]);
    // Every clean-up was made; those of the batch that was cut off twice.
    expect(server.cleaned.toSorted()).to.deep.equal(
      [...server.cleaned.slice(0, FIRST_BATCH), ...connections.map(({ connectionId }) => connectionId)].toSorted(),
    );
  });

  /** The victim's last sign of life lies longer back than a living worker's may. */
  async function aMomentLater(): Promise<void> {
    const longAgo = installation.db.raw(`now() - interval '1 minute'`);
    await installation.db('pgboss.job').where({ name: 'erase-marked', state: 'active' }).update({ heartbeat_on: longAgo });
  }
});
