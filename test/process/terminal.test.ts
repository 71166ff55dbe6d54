import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/folders.ts';
import { quote } from '../support/namespaces.ts';
import { startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { skipBecause } from '../support/skip.ts';
import { projectFolder } from '../support/source-files.ts';
import { useEach } from '../support/use.ts';

const MAIN = [process.execPath, join(projectFolder, 'core/start.js')];
/** A module hook that makes the log formatter unavailable, as it is after `npm ci --omit=dev`. */
const WITHOUT_FORMATTER = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(name, context, next) {
    if (name === 'pino-pretty') throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  } });`)}`;

describe('a start at a terminal', function () {
  this.timeout(60_000);
  before(function () {
    // script(1) of util-linux gives a program a terminal.
    if (spawnSync('script', ['-qec', 'test -t 1', '/dev/null'], { timeout: 5_000 }).status !== 0)
      skipBecause(this, 'there is no script(1)');
  });
  const folder = useEach(this, temporaryFolder);

  async function linesOf(command: readonly string[], env: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const shell = command.map(quote).join(' ');
    await using service = await startService({ env, command: ['script', '-qfec', `exec ${shell}`, '/dev/null'] });
    await service.printed('svc is ready at');
    await service.stop();
    return service.output.stdout.split('\r\n');
  }

  it('logs as readable text, and ends with the URL of the service and the place of the API key', async () => {
    const dataDir = join(folder.path, 'data');
    const env = {
      ...newServiceEnv(),
      SVC_DATA_DIR: dataDir,
      SVC_BOOTSTRAP_API_KEY: '',
      SVC_UNKNOWN: 'x',
      SVC_BASE_URL: 'http://a.test',
    };
    const lines = await linesOf(MAIN, env);
    expect(lines.filter((line) => line.startsWith('{'))).to.deep.equal([]);
    expect(lines).to.include(`svc is ready at http://a.test, API key in ${join(dataDir, 'api-key')}`);
  });

  it('works without the formatter, which only the development dependencies bring', async () => {
    const dataDir = join(folder.path, 'data');
    const [node = '', main = ''] = MAIN;
    const lines = await linesOf([node, '--import', WITHOUT_FORMATTER, main], { ...newServiceEnv(), SVC_DATA_DIR: dataDir });
    expect(lines.some((line) => line.startsWith('{'))).to.equal(true);
    expect(lines.some((line) => /^svc is ready at http:\S+, API key in SVC_BOOTSTRAP_API_KEY$/.test(line))).to.equal(true);
  });
});
