import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { applyRetention } from '../../core/operate/retention.ts';
import { deleteRunsBeyond, insertRun } from '../../core/scripts/run-store.ts';
import { startApp } from '../support/app.ts';
import { storeIntegration, storeTenant } from '../support/stored.ts';
import { finishedRun, storeScript } from '../support/stored-script.ts';
import { use } from '../support/use.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('runs of a script', function () {
  const app = use(this, startApp);
  let key: string;

  beforeEach(async () => {
    key = await storeIntegration(app.api, `i-${randomUUID()}`);
  });

  const pathOf = () => `/integrations/${key}/scripts/post-connection-creation`;
  const runs = async () => {
    const { status, body, text } = await app.api.get(`${pathOf()}/runs`);
    expect(status, text).to.equal(200);
    return body.data;
  };
  const LOG = [{ at: 3, level: 'info', message: 'hello', facts: { a: [1, null] } }] as const;

  it('show their outcomes, newest first', async () => {
    const { scriptId } = await storeScript(app, { key });
    expect(await runs()).to.deep.equal([]);
    const first = finishedRun({ scriptId, log: LOG, startedAt: new Date(Date.now() - 60_000) });
    const second = finishedRun({ scriptId, status: 'killed', cause: 'timeout', durationMs: 30_000.4, memoryMb: 1.25 });
    for (const run of [first, second]) await insertRun(app.database.db, run);
    const whose = ({ connectionId, startedAt }: typeof first) => ({
      connection_id: connectionId,
      started_at: startedAt.toISOString(),
    });
    expect(await runs()).to.deep.equal([
      {
        ...{ id: second.id, version: 1, ...whose(second), status: 'killed' },
        ...{ duration_ms: 30_000, memory_mb: 1.3, cause: 'timeout', log: [] },
      },
      { id: first.id, version: 1, ...whose(first), status: 'done', duration_ms: 12, memory_mb: 2, cause: null, log: LOG },
    ]);
  });

  it('show those for one connection', async () => {
    const { scriptId } = await storeScript(app, { key });
    const stored = ['c-1', 'c-2'].map((connectionId) => finishedRun({ scriptId, connectionId }));
    for (const run of stored) await insertRun(app.database.db, run);
    const { data } = (await app.api.get(`${pathOf()}/runs?connection_id=c-2`)).body;
    expect(data.map(({ id }: { id: string }) => id)).to.deep.equal([stored[1]?.id]);
  });

  it('show the latest hundred', async () => {
    const { scriptId } = await storeScript(app, { key });
    const stored = Array.from({ length: 101 }, (_, index) =>
      finishedRun({ scriptId, startedAt: new Date(Date.now() - index * 1_000) }),
    );
    for (const run of stored) await insertRun(app.database.db, run);
    const shown = (await runs()).map(({ id }: { id: string }) => id);
    expect(shown).to.deep.equal(stored.slice(0, 100).map(({ id }) => id));
  });

  it('keep their logs redacted and truncated', async () => {
    const { scriptId } = await storeScript(app, { key });
    const secrets = { token: 'hidden', nested: { password: 'hidden' }, text: 'a\0b' };
    const flood = Array.from({ length: 500 }, (_, at) => ({ at, level: 'info', message: 'x'.repeat(1_000) }) as const);
    const log = [{ at: 0, level: 'warn', message: 'a key svc_sk_ \0', facts: secrets } as const, ...flood];
    await insertRun(app.database.db, finishedRun({ scriptId, log }));
    const [{ log: kept }] = await runs();
    expect(kept[0].facts).to.deep.equal({ token: '[redacted]', nested: { password: '[redacted]' }, text: 'a\ufffdb' });
    expect(JSON.stringify(kept).length).to.be.within(60_000, 67_000);
    expect(kept.at(-1)).to.deep.include({
      at: 499,
      level: 'warn',
      message: `${log.length - kept.length + 1} more lines were not kept`,
    });
  });

  it('are not recorded once their script is deleted', async () => {
    const { scriptId } = await storeScript(app, { key });
    expect((await app.api.delete(pathOf())).status).to.equal(204);
    await insertRun(app.database.db, finishedRun({ scriptId }));
    expect(await app.database.db('script_runs').where({ script_id: scriptId })).to.deep.equal([]);
  });

  it('of another environment are never stored or shown', async () => {
    const { scriptId } = await storeScript(app, { key });
    const other = await storeTenant(app, `t-${randomUUID()}`);
    await insertRun(app.database.db, finishedRun({ scriptId, environmentId: other.environmentId }));
    expect(await runs()).to.deep.equal([]);
  });

  it('are deleted together with the operation log of their time', async () => {
    const { scriptId } = await storeScript(app, { key });
    const ages = [14.9, 15.1, 400].map((days) => new Date(app.clock.now().getTime() - days * DAY_MS));
    const stored = ages.map((startedAt) => finishedRun({ scriptId, startedAt }));
    for (const run of stored) await insertRun(app.database.db, run);
    await applyRetention(app.services);
    expect((await runs()).map(({ id }: { id: string }) => id)).to.deep.equal([stored[0]?.id]);
  });

  it('are deleted beyond the limit of one script, the oldest first', async () => {
    const kept = await storeScript(app, { key });
    const other = await storeScript(app, { key, event: 'on-webhook' });
    const ids = [3, 1, 2].map((age) => ({ id: randomUUID(), startedAt: new Date(app.clock.now().getTime() - age * 1_000) }));
    for (const one of ids) await insertRun(app.database.db, finishedRun({ scriptId: kept.scriptId, ...one }));
    await insertRun(app.database.db, finishedRun({ scriptId: other.scriptId }));
    const bounds = { scriptId: kept.scriptId, kept: 2, limit: 100 };
    expect(await deleteRunsBeyond(app.database.db, bounds)).to.be.greaterThan(0);
    expect((await runs()).map(({ id }: { id: string }) => id)).to.deep.equal([ids[1]?.id, ids[2]?.id]);
    expect(await app.database.db('script_runs').where({ script_id: other.scriptId })).to.have.length(1);
    expect(await deleteRunsBeyond(app.database.db, bounds)).to.equal(0);
  });
});
