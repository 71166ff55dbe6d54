import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect } from 'chai';
import { CommandLine, runCommand } from '../support/command-line.ts';
import { cloneDatabase } from '../support/database.ts';
import { makeFolders } from '../support/folders.ts';
import { listen } from '../support/listen.ts';
import { close } from '../support/loopback-server.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { localhostIdentity } from '../support/tls-identity.ts';
import { use } from '../support/use.ts';

const definition = (api: string) =>
  JSON.stringify({
    display_name: 'Own',
    docs: 'https://docs.example.com',
    auth_mode: 'API_KEY',
    proxy: { base_url: api, verification: { endpoints: ['/me'] } },
  });

describe('provider probe', function () {
  this.timeout(60_000);
  const database = use(this, cloneDatabase);
  const api = use(this, async () => {
    const server = createServer(localhostIdentity, (_, response) => response.writeHead(401).end());
    return { port: await listen(server), [Symbol.asyncDispose]: () => close(server) };
  });
  const folders = use(this, () =>
    makeFolders({
      'ca.pem': localhostIdentity.cert,
      'providers/here/provider.json': definition(`https://localhost:${api.port}`),
      'providers/gone/provider.json': definition('https://gone.example'),
    }),
  );
  const keys = newServiceEnv();
  const commandLine = use(this, async () => new CommandLine());
  const env = () => ({
    ...keys,
    DATABASE_URL: database.url,
    SVC_PROVIDERS_DIR: join(folders.path, 'providers'),
    SVC_OUTBOUND_ALLOW: `localhost:${api.port}`,
  });
  /** Runs the command in a new process, because Node reads trusted certificates only when it starts. */
  const probe = (...slugs: string[]) =>
    runCommand({ ...env(), NODE_EXTRA_CA_CERTS: join(folders.path, 'ca.pem') }, 'provider', 'probe', ...slugs);
  const answered = () => database.db('provider_probes').orderBy('slug').pluck('slug');

  it('records providers that respond as stated, and reports those that do not', async () => {
    const passed = await probe('here', '--json');
    expect(passed.code, passed.stderr).to.equal(0);
    const probed = [
      { member: 'proxy.verification', outcome: 'passed' },
      { member: 'proxy.base_url', outcome: 'passed' },
    ];
    expect(JSON.parse(passed.stdout)).to.deep.equal({ provider: 'here', probed });
    const failed = await probe('here', 'gone');
    expect(failed.code).to.equal(1);
    expect(failed.stderr).to.include('these providers did not respond as their definitions say: gone');
    expect(failed.stdout.split('\n')[2]).to.match(/^gone {2}proxy\.verification {2}failed {2}\S/);
    expect(await answered()).to.deep.equal(['here']);
  });

  it('refuses an unknown provider and unknown verbs', async () => {
    const { code, stderr } = await commandLine.run(env(), 'provider', 'probe', 'nobody-has-this');
    expect([code, stderr.trim()]).to.deep.equal([1, 'there is no provider "nobody-has-this"']);
    expect((await commandLine.run(env(), 'provider', 'probe', 'heer')).stderr.trim()).to.equal(
      'there is no provider "heer"; did you mean "here"?',
    );
    expect((await commandLine.run(env(), 'provider')).code).to.equal(2);
  });
});
