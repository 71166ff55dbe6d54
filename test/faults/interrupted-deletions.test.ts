import { expect } from 'chai';
import { sweepDeletions } from '../../core/lifecycle/connection-deleting.ts';
import type { TestApp } from '../support/app.ts';
import { CleaningServer, makeCleaningProvider } from '../support/cleaning.ts';
import { Installation } from '../support/installation.ts';
import { storeConnection } from '../support/stored.ts';

describe('a deletion that is cut off (DUR-06)', function () {
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
    app = await installation.startApp(env);
    await app.api.post('/integrations', { unique_key: 'one', provider: 'cleaning', integration_config: { server: server.url } });
  });
  after(() => opened.disposeAsync());

  const rows = () => installation.db('connections').pluck('connection_id');

  it('is gone on with when its process was killed', async () => {
    const { connectionId } = await storeConnection(app, { key: 'one' });
    const victim = await installation.startProcess({ ...env, FAULT_AT: 'deletion-after-mark:1' });
    const answer = victim.api.delete(`/connections/${connectionId}?provider_config_key=one`).catch(() => undefined);
    expect(await victim.process.exit).to.include({ signal: 'SIGKILL' });
    expect(await answer).to.equal(undefined);
    expect(await rows()).to.deep.equal([connectionId]);

    await sweepDeletions(app.services);
    expect(server.cleaned).to.deep.equal([]);
    await installation.advance(300);
    await sweepDeletions(app.services);
    expect(server.cleaned).to.deep.equal([connectionId]);
    expect(await rows()).to.deep.equal([]);
    const { id } = await installation.db('operations').where({ type: 'deletion', connection_id: connectionId }).first('id');
    expect((await app.api.get(`/logs/${id}`)).body.data.status).to.equal('success');
  });

  it('does not do again what is done', async () => {
    const { connectionId } = await storeConnection(app, { key: 'one' });
    const { id } = await installation.db('connections').where({ connection_id: connectionId }).first('id');
    await installation.db('connections').where({ id }).update({ deleted_at: new Date() });
    const row = { connection_id: id, environment_id: 1, step: 'erase', claimed_until: new Date(0) };
    await installation.db('connection_deletions').insert(row);
    await sweepDeletions(app.services);
    expect(server.cleaned).not.to.include(connectionId);
    expect(await rows()).to.deep.equal([]);
  });

  it('is adopted from an instance of the release before, which wrote no row', async () => {
    const [young, old] = [await storeConnection(app, { key: 'one' }), await storeConnection(app, { key: 'one' })];
    const mark = ({ connectionId }: typeof old, minutes: number) =>
      installation
        .db('connections')
        .where({ connection_id: connectionId })
        .update({ deleted_at: installation.db.raw(`now() - ? * interval '1 minute'`, [minutes]) });
    await mark(young, 9);
    await mark(old, 11);
    await sweepDeletions(app.services);
    await installation.advance(1);
    await sweepDeletions(app.services);
    expect(server.cleaned).to.include(old.connectionId).and.not.include(young.connectionId);
    expect(await rows()).to.deep.equal([young.connectionId]);
  });
});
