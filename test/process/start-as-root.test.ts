import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readPidFile } from '../../core/db/embedded-postgres/leftover-server.ts';
import { temporaryFolder } from '../support/folders.ts';
import { client } from '../support/http-client.ts';
import { needNamespaces, quote } from '../support/namespaces.ts';
import { startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { projectFolder } from '../support/source-files.ts';
import { use } from '../support/use.ts';

describe('npm start', function () {
  this.timeout(60_000);
  const folder = use(this, temporaryFolder);

  it('works for root in a folder that no other user can enter', async function () {
    needNamespaces(this, '--mount');
    const home = join(folder.path, 'home');
    const system = join(folder.path, 'lib');
    await mkdir(join(home, 'project'), { recursive: true, mode: 0o700 });
    await mkdir(system, { mode: 0o755 });
    // The machine's real /var/lib stays unchanged, because the service sees another folder mounted in its place.
    const script = [
      `mount --bind ${quote(projectFolder)} ${quote(join(home, 'project'))}`,
      `mount --bind ${quote(system)} /var/lib`,
      `cd ${quote(join(home, 'project'))}`,
      'exec npm --silent start',
    ].join(' && ');
    const env = newServiceEnv();
    await using service = await startService({ env, command: ['unshare', '--mount', 'sh', '-c', script] });
    const api = client(service.url, env.SVC_BOOTSTRAP_API_KEY);
    expect((await api.get('/connections')).status).to.equal(200);
    expect(readPidFile(join(system, 'svc', 'postgres')), 'its data is in the system folder').not.to.equal(undefined);
  });
});
