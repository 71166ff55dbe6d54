import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { readPidFile } from '../../core/db/embedded-postgres/leftover-server.ts';
import { serverPid } from '../core/db/programs/cluster.ts';
import { temporaryFolder } from '../support/folders.ts';
import { isAlive } from '../support/is-alive.ts';
import { startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { projectFolder } from '../support/source-files.ts';
import { use } from '../support/use.ts';

const NPM = ['npm', '--silent', '--prefix', projectFolder, 'run'];
const ENDS = [
  ['start', 'SIGTERM'],
  ['start', 'SIGINT'],
  ['dev', 'SIGTERM'],
] as const;

describe('a script of package.json', function () {
  this.timeout(60_000);
  const folder = use(this, temporaryFolder);
  const keys = newServiceEnv();

  for (const [script, signal] of ENDS) {
    it(`${script} ends service and database cleanly at ${signal}`, async () => {
      const dataDir = join(folder.path, 'data');
      const env = { ...keys, SVC_DATA_DIR: dataDir };
      await using service = await startService({ env, command: [...NPM, script] });
      const database = serverPid(dataDir);
      service.signal(signal);
      await service.exit;
      await service.logged('stopping');
      // The database stops last, and removes its pid file only after a clean shutdown.
      while (isAlive(database)) await wait(20);
      expect(readPidFile(join(dataDir, 'postgres'))).to.equal(undefined);
      expect(await fetch(`${service.url}/health`).catch(() => 'nobody listens')).to.equal('nobody listens');
    });
  }
});
