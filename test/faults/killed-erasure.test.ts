import { expect } from 'chai';
import { openCleaningInstallation } from '../support/cleaning-installation.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** Two batches of clean-ups. */
const CONNECTIONS = 40;
const FIRST_BATCH = 32;
/** Longer than a job that has failed waits. */
const NEXT_TRY_SECONDS = 60;

describe('a service that is killed while it erases an integration', function () {
  this.timeout(60_000);
  const setup = use(this, openCleaningInstallation);

  it('leaves nothing behind: the job is taken up by another', async () => {
    const connections = await setup.integrate('killed', CONNECTIONS);
    const { id } = await setup.installation.db('integrations').where({ unique_key: 'killed' }).first('id');
    await setup.app.api.delete('/integrations/killed');

    const victim = await setup.startProcess({ SVC_ROLE: 'all', FAULT_AT: 'erase-after-clean-up:1' });
    expect(await victim.process.exit).to.include({ signal: 'SIGKILL' });
    expect(new Set(setup.server.cleaned)).to.have.property('size', FIRST_BATCH);
    const rows = () => setup.installation.db('connections').where({ integration_id: id });
    expect(await rows()).to.have.length(CONNECTIONS);

    await aMomentLater();
    await setup.startProcess({ SVC_ROLE: 'all' });
    const isErased = async () => (await setup.installation.db('integrations').where({ id }).first('id')) === undefined;
    await until('its next try', async () => (await jobs().where({ state: 'retry' }).first('id')) !== undefined, 30_000);
    await setup.installation.advance(NEXT_TRY_SECONDS);
    await until('it is erased', isErased, 30_000);
    expect(await rows()).to.deep.equal([]);
    // Every clean-up was made; those of the batch that was cut off twice.
    expect(setup.server.cleaned.toSorted()).to.deep.equal(
      [...setup.server.cleaned.slice(0, FIRST_BATCH), ...connections.map(({ connectionId }) => connectionId)].toSorted(),
    );
  });

  /** The victim's last sign of life lies longer back than a living worker's may. */
  async function aMomentLater(): Promise<void> {
    const longAgo = setup.installation.db.raw(`now() - interval '1 minute'`);
    await jobs().where({ state: 'active' }).update({ heartbeat_on: longAgo });
  }

  const jobs = () => setup.installation.db('pgboss.job').where({ name: 'erase-marked' });
});
