import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DoctorCheck } from '../../core/cli/doctor/check.ts';
import { runCommand } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { client } from '../support/http-client.ts';
import { startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';

describe('the command line on an embedded database', () => {
  it('refuses to create a database, joins a running service, and starts the database if none runs', async function () {
    this.timeout(60_000);
    await using folder = await temporaryFolder();
    const env = { ...newServiceEnv(), SVC_DATA_DIR: join(folder.path, 'data') };
    const empty = await runCommand(env, 'env', 'get');
    expect(empty.code).to.equal(1);
    expect(empty.stderr).to.contain('start the service once');
    expect((await runCommand(env, 'setup-link')).stderr).to.contain('start the service once');
    expect((await runCommand(env, 'account', 'create')).stderr).to.contain('start the service once');
    expect(existsSync(env.SVC_DATA_DIR), 'a database was created').to.equal(false);
    const found = async () => {
      const { checks } = JSON.parse((await runCommand(env, 'doctor', '--json')).stdout);
      const names = ['disk', 'database', 'notices', 'encryption-keys', 'clock'];
      return checks.filter(({ name }: DoctorCheck) => names.includes(name)).map(({ status }: DoctorCheck) => status);
    };

    await using service = await startService({ env });
    const made = await runCommand(env, 'api-keys', 'create', '--name', 'backend', '--scopes', 'environment:*', '--json');
    const { secret } = JSON.parse(made.stdout);
    expect((await client(service.url, secret).get('/connections')).status).to.equal(200);
    expect(await found()).to.deep.equal(Array(5).fill('ok'));
    await service.stop();
    expect(await found()).to.deep.equal(Array(5).fill('ok'));

    const listed = await runCommand(env, 'api-keys', 'list', '--json');
    expect(listed.code, listed.stderr).to.equal(0);
    expect(JSON.parse(listed.stdout).data.map(({ name }: { name: string }) => name)).to.include('backend');
  });

  it('brings an empty database to the current schema', async () => {
    await using folder = await temporaryFolder();
    const env = { ...newServiceEnv(), SVC_DATA_DIR: join(folder.path, 'data') };
    expect(await runCommand(env, 'migrate', '--json')).to.deep.equal({ code: 0, stdout: '{"migrated":true}\n', stderr: '' });
  });
});
