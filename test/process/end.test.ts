import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { readPidFile } from '../../core/db/embedded-postgres/leftover-server.ts';
import { serverPid } from '../core/db/programs/cluster.ts';
import { connect } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { temporaryFolder } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { client } from '../support/http-client.ts';
import { isAlive } from '../support/is-alive.ts';
import { ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { use } from '../support/use.ts';

/** Faults that a plugin can cause in a timer, long after its module was loaded. */
const STRAY_FAULTS = {
  'an exception in a timer': `setTimeout(() => { throw new Error('stray'); }, 1500);`,
  'a rejection that nobody handles': `setTimeout(() => void Promise.reject(new Error('stray')), 1500);`,
  'an error event that nobody listens to': `setTimeout(() => new EventEmitter().emit('error', new Error('stray')), 1500);`,
};

describe('the end of a process', function () {
  const folder = use(this, temporaryFolder);
  const keys = newServiceEnv();
  let dataDir: string;

  before(() => {
    dataDir = join(folder.path, 'data');
  });

  const env = () => ({ ...keys, SVC_DATA_DIR: dataDir });

  it('makes /ready fail at once, while running requests still get their responses', async () => {
    const given = env();
    await using provider = await startFakeProvider();
    await using service = await startService({ env: given });
    const api = client(service.url, given.SVC_BOOTSTRAP_API_KEY);
    const connected = await connect({ url: service.url, api }, provider);
    const barrier = provider.barrier('api');
    const headers = { 'provider-config-key': connected.key, 'connection-id': connected.connectionId };
    const running = api.get('/proxy/me', { headers });
    await provider.ledger.arrived('api');

    service.signal('SIGTERM');
    await service.logged('stopping');
    const notReady = await api.get('/ready');
    expect([notReady.status, notReady.body.error.code]).to.deep.equal([503, 'draining']);
    barrier.open();
    expect((await running).status).to.equal(200);
    expect(await service.exit).to.deep.equal({ code: 0, signal: null });
    expect(readPidFile(join(dataDir, 'postgres')), 'the database has stopped').to.equal(undefined);
  });

  it('waits for nothing after a second signal, and stops its database', async () => {
    const given = env();
    await using provider = await startFakeProvider();
    await using service = await startService({ env: given });
    const api = client(service.url, given.SVC_BOOTSTRAP_API_KEY);
    const connected = await connect({ url: service.url, api }, provider, 'second');
    provider.barrier('api');
    const headers = { 'provider-config-key': connected.key, 'connection-id': connected.connectionId };
    const running = api.get('/proxy/me', { headers }).catch(() => 'cut');
    await provider.ledger.arrived('api');
    const database = serverPid(dataDir);

    service.signal('SIGTERM');
    await service.logged('stopping');
    await wait(600); // a second signal that came sooner would be ignored as a repetition of the first
    service.signal('SIGTERM');
    expect((await service.exit).code).to.equal(1);
    expect(await running).to.equal('cut');
    while (isAlive(database)) await wait(20);
  });

  it('is also possible during a start, and leaves no database running', async () => {
    await using empty = await temporaryFolder();
    const given = { ...env(), SVC_DATA_DIR: join(empty.path, 'data') };
    for (const delayMs of [500, 800, 1100]) {
      await using service = new ServiceProcess({ env: given, port: await freePort() });
      await wait(delayMs);
      service.signal('SIGTERM');
      const { code, signal } = await service.exit;
      expect(code === 0 || signal === 'SIGTERM', `${code} ${signal} ${service.output.stdout}${service.output.stderr}`).to.equal(
        true,
      );
      expect(readPidFile(join(given.SVC_DATA_DIR, 'postgres'))).to.equal(undefined);
    }
  });

  for (const [what, code] of Object.entries(STRAY_FAULTS)) {
    it(`follows ${what}, closes everything, and has an exit code other than 0`, async () => {
      const plugins = join(folder.path, 'plugins');
      await mkdir(join(plugins, 'stray'), { recursive: true });
      await writeFile(
        join(plugins, 'stray', 'plugin.ts'),
        `import { EventEmitter } from 'node:events';\n${code}\nexport default { contract: 1 };\n`,
      );
      await using service = new ServiceProcess({ env: { ...env(), SVC_PLUGINS_DIR: plugins }, port: await freePort() });
      expect((await service.exit).code).to.equal(1);
      expect((await service.logged('an uncaught exception or rejection'))['error']).to.include({ message: 'stray' });
      expect(readPidFile(join(dataDir, 'postgres')), 'the database has stopped').to.equal(undefined);
    });
  }
});
