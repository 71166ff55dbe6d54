import { expect } from 'chai';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { use } from '../../support/use.ts';
import { startScriptedService } from '../../support/user-scripts.ts';

const CREATION = 'post-connection-creation';
const VALIDATION = 'validate-connection';

describe('runs of scripts as the dashboard shows them', function () {
  const service = use(this, () => startScriptedService({ withJobs: true }));
  let viewer: TestMember;
  let connectionId = '';

  before(async () => {
    viewer = await signedInAs(service.app, 'viewer');
    await service.deploy(CREATION, `export default async () => { throw new Error('no'); };`);
    ({ connectionId } = await service.connect());
    await service.ran(CREATION);
  });

  const get = (path: string) => viewer.ui.get(`/api/ui/e/dev/${path}`);
  const runs = async (event: string) => (await get(`integrations/fake/scripts/${event}/runs`)).body.data;

  it('link to the log entry of each', async () => {
    const [run] = await runs(CREATION);
    expect(run).to.include({ connection_id: connectionId, status: 'failed', cause: 'script_error' });
    const { data } = (await get(`logs/${run.id}`)).body;
    expect(data).to.include({ type: 'script', operation: CREATION, status: 'failure', connection_id: connectionId });
    expect(data.messages[0].message).to.equal('Error: no');
  });

  it('link to the log entry for a connection that was never created, too', async () => {
    await service.deploy(VALIDATION, `export default async () => { throw new Error('refused'); };`);
    await service.connect().catch(() => undefined);
    const [run] = await runs(VALIDATION);
    expect(run).to.include({ connection_name: null, status: 'failed' });
    const { data } = (await get(`logs/${run.id}`)).body;
    expect(data).to.include({ type: 'script', operation: VALIDATION, status: 'failure' });
    expect(data.messages[0].message).to.equal('Error: refused');
  });

  it('show the current names of their connections, and none for deleted ones', async () => {
    const path = `/connections/${connectionId}?provider_config_key=fake`;
    await service.app.api.patch(path, { tags: { end_user_display_name: 'Kelvin' } });
    expect((await runs(CREATION))[0].connection_name).to.equal('Kelvin');
    await service.app.api.patch(path, { tags: { end_user_id: 'usr_1', plan: 'pro' } });
    expect((await runs(CREATION))[0].connection_name, 'of a user without name and e-mail').to.equal('usr_1');
    await service.app.api.delete(path);
    expect((await runs(CREATION))[0]).to.include({ connection_id: connectionId, connection_name: null });
  });
});
