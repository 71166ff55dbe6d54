import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import packageFile from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../support/folders.ts';
import { client } from '../support/http-client.ts';
import { ServiceProcess, startService } from '../support/processes.ts';
import { refusedStart } from '../support/refused-start.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { skipBecause } from '../support/skip.ts';
import { useEach } from '../support/use.ts';

const NOBODY = { uid: 65534, gid: 65534 };

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

describe('a start on a data directory', function () {
  const folder = useEach(this, temporaryFolder);

  const dataDir = (name = 'data') => ({ ...newServiceEnv(), SVC_DATA_DIR: join(folder.path, name) });

  it('names the setting to change if this user may not write to the data directory', async function () {
    if (process.geteuid?.() !== 0) skipBecause(this, 'only root can become somebody else');
    await chmod(folder.path, 0o755);
    expect(await refusedStart(dataDir(), NOBODY)).to.contain('SVC_DATA_DIR');
  });

  it('is refused soon on the data directory of another service, whose process it names', async () => {
    const env = dataDir();
    await using first = await startService({ env });
    const loaded = await elapsedMs(() => refusedStart({ ...env, PORT: 'x' }));
    const refused = await elapsedMs(async () => expect(await refusedStart(env)).to.contain(`in use by process ${first.pid}`));
    expect(refused - loaded, 'time beyond loading the program on this machine').to.be.below(7_500);
  });

  it('works with spaces in the path and on any free port, and logs the port and the file of the API key', async () => {
    const env = dataDir('my data');
    await using service = new ServiceProcess({ env: { ...env, PORT: '0', SVC_BOOTSTRAP_API_KEY: '' }, port: 0 });
    const ready = await service.logged('ready');
    expect(ready['version']).to.equal(packageFile.version);
    expect((await fetch(`http://127.0.0.1:${ready['port']}/ready`)).status).to.equal(200);
    expect((await service.logged('first start'))['apiKeyFile']).to.equal(join(env.SVC_DATA_DIR, 'api-key'));
  });

  it('works as a user without rights', async function () {
    if (process.geteuid?.() !== 0) skipBecause(this, 'only root can become somebody else');
    const env = dataDir();
    await mkdir(env.SVC_DATA_DIR);
    await chown(env.SVC_DATA_DIR, NOBODY.uid, NOBODY.gid);
    await using service = await startService({ env, identity: NOBODY });
    expect((await client(service.url, env.SVC_BOOTSTRAP_API_KEY).get('/connections')).status).to.equal(200);
  });
});
