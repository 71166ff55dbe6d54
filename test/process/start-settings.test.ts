import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { newKeyRingText } from '../../core/kit/key-ring.ts';
import { cloneDatabase } from '../support/database.ts';
import { makeFolders } from '../support/folders.ts';
import { client } from '../support/http-client.ts';
import { needPostgres15, startPostgres15 } from '../support/postgres-15.ts';
import { startService } from '../support/processes.ts';
import { refusedStart } from '../support/refused-start.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { use } from '../support/use.ts';

const PASSWORD = 'never-to-be-printed';

describe('a start with its settings', function () {
  const database = use(this, cloneDatabase);
  const folders = use(this, () => makeFolders({ 'broken/provider.json': '{\n  "display_name": "Broken",\n  oops\n}\n' }));
  const keys = newServiceEnv();
  const env = () => ({ ...keys, DATABASE_URL: database.url });
  const web = use(this, () => startService({ env: { ...env(), SVC_ROLE: 'web', SVC_PROVIDERS_DIR: folders.path } }));

  it('works on Postgres 15, with an empty database and with one that was migrated', async function () {
    needPostgres15(this);
    await using server = await startPostgres15();
    await using empty = await server.emptyDatabase();
    await using migrated = await server.cloneDatabase();
    for (const { url } of [empty, migrated]) {
      await using service = await startService({ env: { ...newServiceEnv(), DATABASE_URL: url } });
      expect((await fetch(`${service.url}/ready`)).status).to.equal(200);
    }
  });

  it('names the port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    expect(await refusedStart({ ...env(), PORT: String(port) })).to.contain(`127.0.0.1:${port} is in use`);
    other.close();
  });

  it('is refused with encryption keys other than those of the database', async () => {
    const wrong = newKeyRingText();
    const stderr = await refusedStart({ ...env(), SVC_ENCRYPTION_KEYS: wrong });
    expect(stderr).to.contain('key "k1"').and.not.contain(wrong.slice(3));
  });

  it('names every wrong setting at once', async () => {
    const stderr = await refusedStart({ PORT: 'x', SVC_ROLE: 'y', NODE_ENV: 'production', FAULT_AT: 'migrate:1' });
    for (const name of ['PORT', 'SVC_ROLE', 'FAULT_AT']) expect(stderr).to.contain(name);
  });

  it('names every fault of the shared apps, and none of their secrets', async () => {
    const file = join(folders.path, 'apps.json');
    await writeFile(file, JSON.stringify({ nobody: { client_id: PASSWORD }, github: { client_secret: PASSWORD, scopes: [] } }));
    const stderr = await refusedStart({ ...env(), SVC_SHARED_APPS_FILE: file });
    expect(stderr).to.contain(file).and.contain('"nobody"').and.contain('"github": client_id').and.not.contain(PASSWORD);
  });

  it('leaves out a provider that cannot be read, names file, line and reason, and serves the others', async () => {
    const fault = await web.logged('could not be loaded');
    expect(fault).to.include({ line: 3 });
    expect(JSON.stringify(fault)).to.contain('broken').and.contain('provider.json').and.contain('reason');
    const api = client(web.url, keys.SVC_BOOTSTRAP_API_KEY);
    expect((await api.get('/providers/github')).status).to.equal(200);
    expect((await api.get('/providers/broken')).status).to.equal(404);
  });

  it('runs no jobs in the role web', async () => {
    expect((await client(web.url, keys.SVC_BOOTSTRAP_API_KEY).get('/connections')).status).to.equal(200);
    expect(await database.db('schedules').select('name')).to.deep.equal([]);
  });

  it('serves health alone in the role worker', async () => {
    await using own = await cloneDatabase();
    await using worker = await startService({ env: { ...keys, DATABASE_URL: own.url, SVC_ROLE: 'worker' } });
    const api = client(worker.url, keys.SVC_BOOTSTRAP_API_KEY);
    for (const path of ['/health', '/ready', '/metrics']) expect((await api.get(path)).status).to.equal(200);
    for (const path of ['/connections', '/connect/l']) expect((await api.get(path)).status).to.equal(404);
  });
});
