import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { cloneDatabase } from '../support/database.ts';
import { type Folder, makeFolders } from '../support/folders.ts';
import { type Client, type ClientResponse, client } from '../support/http-client.ts';
import { type ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { storeTenant } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { useEach } from '../support/use.ts';

const CREATION = 'post-connection-creation';
const GOOD = 'export default async (svc: unknown) => svc;\n';
const WEBHOOK = "export const webhookSubscriptions = ['a'];\nexport async function onWebhook(svc, event) {}\n";

describe('SVC_SCRIPTS_DIR', function () {
  this.timeout(60_000);
  const database = useEach(this, cloneDatabase);
  const opened = useEach(this, () => new AsyncDisposableStack());
  let env: Readonly<Record<string, string>>;
  let folders: Folder;

  async function makeScripts(files: Readonly<Record<string, string>>, more = ''): Promise<void> {
    folders = opened.use(await makeFolders(files));
    env = { ...newServiceEnv(), SVC_SCRIPTS_DIR: `${folders.path}${more}` };
  }
  const startProcess = async () => opened.use(await startService({ env: { ...env, DATABASE_URL: database.url } }));
  const apiOf = (service: ServiceProcess) => client(service.url, env['SVC_BOOTSTRAP_API_KEY']);

  /** Starts an instance in this process, up to the point at which `main.ts` would begin to serve. */
  async function start({ hasScripts = true } = {}): Promise<TestApp> {
    const app = opened.use(await startApp({ env: { ...env, ...(!hasScripts && { SVC_SCRIPTS_DIR: '' }) }, database }));
    await app.services.scriptsDirectory.start();
    return app;
  }

  it('is deployed at the start, unchanged files once for all starts, a changed one as a new version', async () => {
    await makeScripts({ [`a/${CREATION}.ts`]: GOOD, 'a/on-webhook.js': WEBHOOK, 'a/README.md': '# a', 'a/script.d.ts': 'x' });
    const first = await start();
    await create(first.api, 'a');
    await deployed(first.api, 'a', 2);

    const second = await start();
    expect(await scriptsOf(second.api, 'a')).to.deep.equal(['on-webhook 1', `${CREATION} 1`]);
    expect(linesOf(second.logLines, 'a script was deployed')).to.deep.equal([]);

    await writeFile(join(folders.path, `a/${CREATION}.ts`), `${GOOD}// changed\n`);
    const third = await startProcess();
    // The scripts are deployed before anything is served, so there is nothing to wait for.
    expect(await scriptsOf(apiOf(third), 'a')).to.deep.equal(['on-webhook 1', `${CREATION} 2`]);
    expect(linesOf(third.output.stdout.split('\n'), 'a script was deployed')).to.have.length(1);
    expect(third.output.stderr).to.equal('');
  });

  it('waits for the integration of a folder, whichever instance creates it', async () => {
    await makeScripts({ [`later/${CREATION}.ts`]: GOOD, 'renamed/on-webhook.js': WEBHOOK });
    const one = await start();
    const two = await start({ hasScripts: false });
    await create(two.api, 'later');
    await deployed(two.api, 'later');
    await create(two.api, 'other');
    bodyOf(await two.api.patch('/integrations/other', { unique_key: 'renamed' }));
    await deployed(two.api, 'renamed');
    expect(linesOf(one.logLines, 'a script was deployed')).to.have.length(2);
    expect(linesOf(two.logLines, 'a script was deployed')).to.have.length(0);
  });

  it('is deployed again to an integration that is created again, and does not replace later versions', async () => {
    await makeScripts({ [`a/${CREATION}.ts`]: GOOD, [`b/${CREATION}.ts`]: GOOD });
    const { api } = await start();
    await create(api, 'a');
    await deployed(api, 'a');
    const path = `/integrations/a/scripts/${CREATION}`;
    bodyOf(await api.put(path, { source: 'export default () => {};', language: 'javascript' }));
    bodyOf(await api.patch('/integrations/a', { display_name: 'A' }));
    // Notices are handled one after the other, so once this creation has had its effect, the change above has been handled, too.
    await create(api, 'b');
    await deployed(api, 'b');
    expect(await scriptsOf(api, 'a')).to.deep.equal([`${CREATION} 2`]);
    bodyOf(await api.delete('/integrations/a'));
    await create(api, 'a');
    await deployed(api, 'a');
    expect(await scriptsOf(api, 'a')).to.deep.equal([`${CREATION} 1`]);
  });

  it('does not undo a roll-back at the next start', async () => {
    await makeScripts({ [`a/${CREATION}.ts`]: GOOD });
    const { api } = await start();
    await create(api, 'a');
    await deployed(api, 'a');
    bodyOf(await api.put(`/integrations/a/scripts/${CREATION}`, { source: `${GOOD}// changed\n`, language: 'typescript' }));
    await writeFile(join(folders.path, `a/${CREATION}.ts`), `${GOOD}// changed\n`);
    bodyOf(await api.patch(`/integrations/a/scripts/${CREATION}`, { version: 1 }));
    await start();
    expect(await scriptsOf(api, 'a')).to.deep.equal([`${CREATION} 1`]);
  });

  it('creates one version when several instances start at once', async () => {
    await makeScripts({ [`a/${CREATION}.ts`]: GOOD });
    const { api } = await start();
    await create(api, 'a');
    await deployed(api, 'a');
    await writeFile(join(folders.path, `a/${CREATION}.ts`), `${GOOD}// changed\n`);
    await Promise.all([start(), start(), start()]);
    expect(await scriptsOf(api, 'a')).to.deep.equal([`${CREATION} 2`]);
  });

  it('works without notices', async () => {
    await makeScripts({ [`a/${CREATION}.ts`]: GOOD });
    const { api, services } = await start();
    // The integration gets its key in the database, as if another instance had created it but its notice had been lost.
    await create(api, 'b');
    await services.db('integrations').where({ unique_key: 'b' }).update({ unique_key: 'a' });
    expect(await scriptsOf(api, 'a')).to.deep.equal([]);
    await services.scriptsDirectory.look();
    expect(await scriptsOf(api, 'a')).to.deep.equal([`${CREATION} 1`]);
  });

  it('leaves out what does not compile or is no script, says so, and the service starts', async () => {
    const secret = randomUUID();
    await makeScripts(
      {
        'a/post-connection-creation.ts': `const a: = "${secret}";\n`,
        'a/validate-connection.ts': "import b from 'b';\nexport default b;\n",
        'a/pre-connection-deletion.js': GOOD.replace(': unknown', ''),
        'a/pre-connection-deletion.ts': GOOD,
        'a/post-conection-creation.ts': GOOD,
        'a/on-webhook.ts': `//${'x'.repeat(256 * 1024)}`,
        [`b/${CREATION}.ts`]: GOOD,
        [`.hidden/${CREATION}.ts`]: GOOD,
        [`not a key!/${CREATION}.ts`]: GOOD,
      },
      ':/does/not/exist',
    );
    const service = await startProcess();
    for (const key of ['a', 'b']) {
      await create(apiOf(service), key);
      await deployed(apiOf(service), key);
    }
    expect(await scriptsOf(apiOf(service), 'a')).to.deep.equal(['pre-connection-deletion 1']);
    const left = linesOf(service.output.stdout.split('\n'), 'a script could not be deployed').map(
      ({ file, reason }) => `${file}: ${reason}`,
    );
    expect(left).to.have.length(6);
    const said = (file: string, reason: RegExp) => expect(left.find((line) => line.startsWith(`${file}: `))).to.match(reason);
    said('post-connection-creation.ts', /line 1, column 10/);
    said('validate-connection.ts', /`svc scripts deploy`/);
    said('pre-connection-deletion.ts', /another script/);
    said('post-conection-creation.ts', /not an event/);
    said('on-webhook.ts', /256 KB/);
    said('/does/not/exist', /ENOENT/);
    expect(service.output.stdout).not.to.contain(secret);
    expect(service.output.stderr).to.equal('');
  });

  it('belongs to the first environment alone', async () => {
    await makeScripts({ [`a/${CREATION}.ts`]: GOOD });
    const app = await start();
    const prod = await storeTenant(app, 'prod');
    await create(prod.api, 'a');
    await create(app.api, 'a');
    await deployed(app.api, 'a');
    expect(await scriptsOf(prod.api, 'a')).to.deep.equal([]);
  });
});

async function create(api: Client, key: string): Promise<void> {
  bodyOf(await api.post('/integrations', { unique_key: key, provider: 'unauthenticated' }));
}

/** Lists the scripts of an integration, each with its active version. */
async function scriptsOf(api: Client, key: string): Promise<string[]> {
  const { data } = bodyOf(await api.get(`/integrations/${key}/scripts`));
  return data.map(({ event, version }: { event: string; version: number }) => `${event} ${version}`);
}

function deployed(api: Client, key: string, count = 1): Promise<void> {
  return until(`the scripts of ${key}`, async () => (await scriptsOf(api, key)).length === count);
}

function bodyOf({ status, body, text }: ClientResponse) {
  expect(status, text).to.equal(200);
  return body;
}

function linesOf(log: readonly string[], text: string) {
  return log.filter((line) => line.includes(text)).map((line) => JSON.parse(line));
}
