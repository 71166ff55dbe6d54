import { expect } from 'chai';
import { startApp } from '../../support/app.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { storeIntegration } from '../../support/stored.ts';
import { use } from '../../support/use.ts';

const EVENT = 'post-connection-creation';
const sourceOf = (number: number) => `export default async function () { return ${number}; }\n`;

describe('scripts as the dashboard shows them', function () {
  const app = use(this, () => startApp());
  let viewer: TestMember;
  const get = (path: string) => viewer.ui.get(`/api/ui/e/dev/${path}`);

  before(async () => {
    viewer = await signedInAs(app, 'viewer');
    for (const key of ['acme', 'other']) await storeIntegration(app.api, key);
    for (const number of [1, 2])
      await app.api.put(`/integrations/acme/scripts/${EVENT}`, { source: sourceOf(number), language: 'javascript' });
    await app.api.put('/integrations/other/scripts/pre-connection-deletion', { source: sourceOf(3), language: 'javascript' });
  });

  it('lists those of all integrations, newest first, and counts failures of the last day', async () => {
    const { db } = app.services;
    const { id: script_id } = await db('scripts').where({ event: EVENT }).first('id');
    const at = app.services.clock.now().getTime();
    const run = { environment_id: 1, script_id, version: 2, duration_ms: 1, memory_mb: 1 };
    const runs = [
      { status: 'done', hours: 1 },
      { status: 'failed', hours: 2 },
      { status: 'killed', hours: 3 },
      { status: 'failed', hours: 2, cause: 'refused' },
      { status: 'failed', hours: 25 },
    ];
    await db('script_runs').insert(
      runs.map(({ hours, ...outcome }) => {
        return { ...run, id: crypto.randomUUID(), ...outcome, started_at: new Date(at - hours * 3_600_000) };
      }),
    );
    const hour = 3_600_000;
    const dueAt = [-hour, -hour, hour].map((ms) => new Date(Date.now() + ms));
    const queued = dueAt.map((due_at, index) => {
      return { environment_id: 1, connection_id: 1, due_at, claimed_until: index === 0 ? new Date(Date.now() + 30_000) : null };
    });
    await db('script_queue').insert(queued);
    const { data, next_cursor, waiting } = (await get('scripts')).body;
    await db('script_queue').delete();
    expect(waiting, 'one is due and not claimed').to.equal(1);
    expect(next_cursor).to.equal(null);
    expect(data.map(({ unique_key }: { unique_key: string }) => unique_key)).to.deep.equal(['other', 'acme']);
    expect(data[0]).to.include({ version: 1, last_run_at: null, failures: 0 });
    expect(data[1]).to.include({ event: EVENT, version: 2, enabled: true, failures: 2 });
    expect(data[1].last_run_at).to.equal(new Date(at - 3_600_000).toISOString());
    expectError(await get('scripts?cursor=WzFd'), 'invalid_query_params');
  });

  it('shows the versions of a script, and the source of each', async () => {
    const path = `integrations/acme/scripts/${EVENT}/versions`;
    const { data } = (await get(path)).body;
    expect(data.map(({ version }: { version: number }) => version)).to.deep.equal([2, 1]);
    const { ui } = await signedInAs(app, 'developer');
    const read = (version: number) => ui.get(`/api/ui/e/dev/${path}/${version}`);
    expect((await read(1)).body.data).to.include({ version: 1, language: 'javascript', source: sourceOf(1) });
    expectError(await read(3), 'not_found');
    // Viewers get no sources, because a source may contain a secret.
    expectError(await get(`${path}/1`), 'forbidden');
    expectError(await get(`integrations/other/scripts/${EVENT}/versions`), 'not_found');
  });
});
