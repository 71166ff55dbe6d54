import { expect } from 'chai';
import { canary } from '../support/canaries.ts';
import { readConnection } from '../support/connect.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { type ScriptedService, startScriptedService } from '../support/user-scripts.ts';

const EVENT = 'post-connection-creation';

describe('a script after a creation', function () {
  const service = use(this, () => startScriptedService({ withJobs: true }));

  // Runs that still wait for a retry are removed, because they would otherwise run when the next test advances the clock.
  afterEach(() => service.app.database.db('script_queue').delete());

  it('acts for the new connection, and what it writes can be read at once', async () => {
    await service.deploy(
      EVENT,
      `export default async (svc: { connectionId: string }) => {
         const { data } = await svc.get({ endpoint: '/me' });
         const before = await svc.setMetadata({ name: data.name, kept: true });
         svc.log('wrote', { before, after: await svc.updateMetadata({ name: 'Grace' }), read: await svc.getMetadata() });
       };`,
    );
    const connected = await service.connect();
    const run = await service.ran(EVENT);
    expect(run).to.include({ status: 'done', cause: null });
    expect(run.duration_ms).to.be.within(1, 10_000);
    expect(run.memory_mb).to.be.at.least(0);
    const { facts } = run.log[0] ?? expect.fail('it wrote nothing');
    const after = { name: 'Grace', kept: true };
    expect(facts).to.deep.equal({ before: { name: 'Ada', kept: true }, after, read: after });
    expect((await readConnection(service.app, connected)).body.metadata).to.deep.equal(after);
  });

  it('is run for an imported connection, too, but not for one that is authorized again', async () => {
    const before = (await service.runs(EVENT)).length;
    const one = {
      provider_config_key: 'fake',
      connection_id: 'imported',
      credentials: { type: 'OAUTH2', access_token: canary('imported token') },
    };
    await service.app.api.post('/connections', one);
    await service.ran(EVENT, before + 1);
    await service.app.api.post('/connections', one);
    await service.connect();
    await service.ran(EVENT, before + 2);
    expect(await service.runs(EVENT)).to.have.length(before + 2);
  });

  it('is in the operation log with its measurements and its own log', async () => {
    await service.deploy(
      EVENT,
      `export default async (svc) => { svc.log('hello', { plan: 'free', token: 'abcdefgh' }); throw new Error('why'); };`,
    );
    const before = (await service.runs(EVENT)).length;
    const { connectionId } = await service.connect();
    const { id } = await service.ran(EVENT, before + 1);
    await service.app.services.activity.flush();
    const row = await service.app.database.db('operation_log').where({ type: 'script', connection_id: connectionId }).first();
    expect(row).to.include({ operation: EVENT, status: 'failure', provider_config_key: 'fake' });
    const [hello, error, end] = row.messages;
    expect(hello).to.deep.include({ level: 'info', message: 'hello', facts: { facts: { plan: 'free', token: '[redacted]' } } });
    expect(error).to.include({ level: 'error', message: 'Error: why' });
    expect(end.facts)
      .to.include({ runId: id, version: 2, cause: 'script_error' })
      .and.to.have.keys('runId', 'version', 'cause', 'durationMs', 'memoryMb');
  });

  it('is tried three times', async () => {
    await service.deploy(EVENT, `export default async (svc) => { await svc.get({ endpoint: '/me' }); };`);
    const before = (await service.runs(EVENT)).length;
    const down = { response: { status: 500 } };
    service.provider.next('api', down, down);
    await service.connect();
    await service.ran(EVENT, before + 1);
    for (let tries = 2; tries <= 3; tries += 1) {
      await until('the next try is due', () => isWaiting(service));
      await service.app.clock.advance(61_000, service.app.database.db);
      await service.ran(EVENT, before + tries);
    }
    expect((await service.runs(EVENT)).slice(0, 3).map(({ status }) => status)).to.deep.equal(['done', 'failed', 'failed']);
  });

  it('is given up after the third try', async () => {
    await service.deploy(EVENT, `export default async (svc) => { throw new svc.ScriptError('no'); };`);
    const before = (await service.runs(EVENT)).length;
    await service.connect();
    await service.ran(EVENT, before + 1);
    for (let tries = 2; tries <= 3; tries += 1) {
      await until('the next try is due', () => isWaiting(service));
      await service.app.clock.advance(61_000, service.app.database.db);
      await service.ran(EVENT, before + tries);
    }
    await until('its job is done', async () => (await unfinished(service)) === undefined);
    expect(await service.runs(EVENT)).to.have.length(before + 3);
  });

  it('is not run for a deleted connection, nor when it is disabled', async () => {
    const before = (await service.runs(EVENT)).length;
    await service.app.api.patch(`/integrations/fake/scripts/${EVENT}`, { enabled: false });
    await service.connect();
    expect(await unfinished(service)).to.equal(undefined);
    expect(await service.runs(EVENT)).to.have.length(before);
    await service.app.api.patch(`/integrations/fake/scripts/${EVENT}`, { enabled: true });
  });
});

async function isWaiting({ app }: ScriptedService): Promise<boolean> {
  const row = await app.database.db('script_queue').whereNull('claimed_until').where('failures', '>', 0).first('id');
  return row !== undefined;
}

function unfinished({ app }: ScriptedService): Promise<unknown> {
  return app.database.db('script_queue').first('id');
}
