import { expect } from 'chai';
import { deletionWorker } from '../../core/connect/deletion/connection-deleting.ts';
import { openCleaningInstallation } from '../support/cleaning-installation.ts';
import { storeConnection } from '../support/stored.ts';
import { use } from '../support/use.ts';

describe('a deletion that is cut off (DUR-06)', function () {
  this.timeout(60_000);
  const setup = use(this, openCleaningInstallation);

  before(async () => {
    await setup.integrate('one');
  });
  const rows = () => setup.installation.db('connections').pluck('connection_id');

  it('is continued after its process was killed', async () => {
    const { connectionId } = await storeConnection(setup.app, { key: 'one' });
    const victim = await setup.startProcess({ FAULT_AT: 'deletion-after-mark:1' });
    const response = victim.api.delete(`/connections/${connectionId}?provider_config_key=one`).catch(() => undefined);
    expect(await victim.process.exit).to.include({ signal: 'SIGKILL' });
    expect(await response).to.equal(undefined);
    expect(await rows()).to.deep.equal([connectionId]);

    await deletionWorker(setup.app.services).workOff();
    expect(setup.server.cleaned).to.deep.equal([]);
    await setup.installation.advance(300);
    await deletionWorker(setup.app.services).workOff();
    expect(setup.server.cleaned).to.deep.equal([connectionId]);
    expect(await rows()).to.deep.equal([]);
    const { id } = await setup.installation
      .db('operation_log')
      .where({ type: 'deletion', connection_id: connectionId })
      .first('id');
    expect((await setup.app.api.get(`/logs/${id}`)).body.data.status).to.equal('success');
  });

  it('does not repeat the steps that are done', async () => {
    const { connectionId } = await storeConnection(setup.app, { key: 'one' });
    const { id, integration_id } = await setup.installation.db('connections').where({ connection_id: connectionId }).first();
    await setup.installation.db('connections').where({ id }).update({ deleted_at: new Date() });
    const row = { connection_id: id, environment_id: 1, integration_id, step: 'erase', due_at: new Date(0) };
    await setup.installation.db('connection_deletions').insert(row);
    await deletionWorker(setup.app.services).workOff();
    expect(setup.server.cleaned).not.to.include(connectionId);
    expect(await rows()).to.deep.equal([]);
  });
});
