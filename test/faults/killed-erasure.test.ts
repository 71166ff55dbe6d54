import { expect } from 'chai';
import { openCleaningInstallation } from '../support/cleaning-installation.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** Enough connections for two batches of clean-ups at the provider. */
const CONNECTIONS = 40;
const FIRST_BATCH = 32;
/** Longer than the claim on an erasure lasts. */
const CLAIM_SECONDS = 301;

describe('a service that is killed while it erases an integration', function () {
  this.timeout(60_000);
  const setup = use(this, openCleaningInstallation);

  it('leaves nothing behind, because another service continues', async () => {
    const connections = await setup.integrate('killed', CONNECTIONS);
    const { id } = await setup.installation.db('integrations').where({ unique_key: 'killed' }).first('id');
    await setup.app.api.delete('/integrations/killed');

    const victim = await setup.startProcess({ SVC_ROLE: 'all', FAULT_AT: 'erase-after-clean-up:1' });
    expect(await victim.process.exit).to.include({ signal: 'SIGKILL' });
    expect(new Set(setup.server.cleaned)).to.have.property('size', FIRST_BATCH);
    const rows = () => setup.installation.db('connections').where({ integration_id: id });
    expect(await rows()).to.have.length(CONNECTIONS);

    await setup.startProcess({ SVC_ROLE: 'all' });
    const isErased = async () => (await setup.installation.db('integrations').where({ id }).first('id')) === undefined;
    await setup.installation.advance(CLAIM_SECONDS);
    await until('it is erased', isErased, 30_000);
    expect(await rows()).to.deep.equal([]);
    // The clean-up of every connection was called, and twice for those of the interrupted batch.
    expect(setup.server.cleaned.toSorted()).to.deep.equal(
      [...setup.server.cleaned.slice(0, FIRST_BATCH), ...connections.map(({ connectionId }) => connectionId)].toSorted(),
    );
  });
});
