import { expect } from 'chai';
import { startApp } from '../../support/app.ts';
import { signedInAs } from '../../support/dashboard/members.ts';
import { use } from '../../support/use.ts';

const HOUR_MS = 3_600_000;

describe('the operations of the last 24 hours, by the hour', function () {
  const app = use(this, () => startApp());

  it('are counted by type, with what failed', async () => {
    const { activity } = app.services;
    const about = { operation: 'x', environmentId: 1 } as const;
    activity.begin({ ...about, type: 'proxy' }).end('success');
    activity.begin({ ...about, type: 'proxy', sinceMs: 2 * HOUR_MS }).end('failure');
    activity.begin({ ...about, type: 'refresh', sinceMs: 2 * HOUR_MS }).end('retrying');
    activity.begin({ ...about, type: 'script', sinceMs: 30 * HOUR_MS }).end('failure');
    activity.count('delivery', { environmentId: 1, status: 'failure' });
    const { ui } = await signedInAs(app, 'viewer');
    const read = async (query = '') => (await ui.get(`/api/ui/e/dev/log-counts${query}`)).body.data;
    const all = await read();
    expect(all).to.have.length(24);
    expect(all[23]).to.include({ succeeded: 1, failed: 0 });
    expect(all[21]).to.include({ succeeded: 0, failed: 2 });
    expect((await read('?type=proxy,script'))[21]).to.include({ succeeded: 0, failed: 1 });
    expect(new Date(all[23].at).getTime()).to.equal(Math.floor(app.clock.now().getTime() / HOUR_MS) * HOUR_MS);
  });
});
