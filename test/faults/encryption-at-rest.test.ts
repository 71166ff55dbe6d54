import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openDatabase } from '../../core/db/database.ts';
import { findRunning } from '../../core/db/embedded-postgres.ts';
import { stopLeftoverServer } from '../../core/db/leftover-server.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { type Folder, temporaryFolder } from '../core/db/programs/cluster.ts';
import { canary, rememberSecret, sweep } from '../support/canaries.ts';
import { authorize, type Connected, createSession, mustBe, readConnection } from '../support/connect.ts';
import { dumpTables } from '../support/database.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { type Folders, makeFolders } from '../support/folders.ts';
import { client } from '../support/http-client.ts';
import { type ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';

const COMMAND_LINE = fileURLToPath(new URL('../../core/cli/main.ts', import.meta.url));
/** Stored as it is: what a sweep of the same bytes must find, or it would prove nothing. */
const OPEN_NAME = 'A display name that is no secret';
const run = promisify(execFile);

const PROVIDER = {
  display_name: 'Vault example',
  docs: 'https://docs.example',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.authorization_url}',
  token_url: '${integrationConfig.token_url}',
  integration_config: {
    authorization_url: { type: 'string', title: 'Authorization URL', format: 'uri' },
    token_url: { type: 'string', title: 'Token URL', format: 'uri' },
  },
  connection_config: { pass_phrase: { type: 'string', title: 'Pass phrase', secret: true } },
};

describe('CRY-01 what lies on the disk of a service that was killed', function () {
  this.timeout(60_000);
  let folder: Folder;
  let providers: Folders;
  let provider: FakeProvider;
  let service: ServiceProcess;
  let env: Record<string, string>;
  let dump: string;
  let files: Readonly<Record<string, Buffer>>;
  const given = { apiKey: '', sessionToken: '' };

  before(async () => {
    folder = await temporaryFolder();
    providers = await makeFolders({ 'vault-example/provider.json': JSON.stringify(PROVIDER) });
    provider = await startFakeProvider({ rotation: 'strict' });
    // Without keys of the operator's: the service makes its own.
    const { SVC_ENCRYPTION_KEYS: _, ...others } = newServiceEnv();
    env = { ...others, SVC_DATA_DIR: dataDir(), SVC_PROVIDERS_DIR: providers.path };
    service = await startService({ env });
    await fill();
    service.signal('SIGKILL');
    await service.exit;
    dump = await dumpOrphan();
    files = await readAll(cluster());
  });
  after(async () => {
    await service.stop();
    await stopLeftoverServer(cluster());
    await provider[Symbol.asyncDispose]();
    await providers[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('has what was written, in its tables and in its write-ahead log', () => {
    const holders = Object.keys(files).filter((name) => files[name]?.includes(OPEN_NAME));
    expect(holders.some((name) => name.startsWith('base/'))).to.equal(true);
    expect(holders.some((name) => name.startsWith('pg_wal/'))).to.equal(true);
    expect(dump).to.contain(OPEN_NAME);
  });

  it('has no secret in any table', () => {
    expect(sweep({ dump })).to.deep.equal([]);
  });

  it('has no secret in any file of the database', () => {
    expect(sweep(files)).to.deep.equal([]);
  });

  it('has API keys and session tokens as hashes', () => {
    for (const secret of [given.apiKey, given.sessionToken, env['SVC_BOOTSTRAP_API_KEY'] ?? ''])
      expect(dump).to.contain(createHash('sha256').update(secret).digest('hex'));
  });

  it('has its keys beside the database, for the operator alone', async () => {
    // The API key was given, so nobody needs a file with it.
    for (const name of ['encryption-keys', 'account-key']) {
      const { mode } = await stat(join(dataDir(), name));
      expect(mode & 0o777, name).to.equal(0o600);
    }
  });

  it('was never printed', () => {
    expect(sweep(service.output)).to.deep.equal([]);
  });

  function dataDir(): string {
    return join(folder.path, 'data');
  }

  function cluster(): string {
    return join(dataDir(), 'postgres');
  }

  /** Everything secret that this service can be given, each a canary. */
  async function fill(): Promise<void> {
    const ring = await readFile(join(dataDir(), 'encryption-keys'), 'utf8');
    rememberSecret('encryption key', ring.trim().slice(ring.indexOf(':') + 1));
    const connected = await connectWithSecrets();
    const refreshed = await readConnection(serviceClient(), connected, '&force_refresh=true');
    mustBe(200, refreshed);
    const environment = await command('env', 'set', '--variable', `TOKEN=${canary('environment variable')}`);
    rememberSecret('webhook secret of the environment', environment.webhook_secret);
    const created = await command('api-keys', 'create', '--name', 'backend', '--scopes', 'environment:*');
    given.apiKey = rememberSecret('API key', created.secret);
  }

  async function connectWithSecrets(): Promise<Connected> {
    const key = 'vault';
    const made = await serviceClient().api.post('/integrations', {
      unique_key: key,
      provider: 'vault-example',
      display_name: OPEN_NAME,
      credentials: {
        type: 'OAUTH2',
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
        webhook_secret: canary('webhook secret'),
      },
      integration_config: { authorization_url: provider.authorizationUrl, token_url: provider.tokenUrl },
    });
    mustBe(200, made);
    const preset = { connection_config: { pass_phrase: canary('preset of a session') } };
    const wanted = { allowed_integrations: [key], integrations_config_defaults: { [key]: preset } };
    given.sessionToken = await createSession(serviceClient(), wanted);
    mustBe(200, await authorize(serviceClient(), { key, token: given.sessionToken }));
    rememberFlow();
    await createSession(serviceClient(), wanted);
    const { body } = await serviceClient().api.get('/connections');
    return { connectionId: body.connections[0].connection_id, key };
  }

  /** What the service made up for the flow, as the provider saw it. */
  function rememberFlow(): void {
    rememberSecret('OAuth state', provider.ledger.of('authorize')[0]?.params['state'] ?? '');
    rememberSecret('PKCE verifier', provider.ledger.of('token')[0]?.params['code_verifier'] ?? '');
  }

  function serviceClient() {
    return { url: service.url, api: client(service.url, env['SVC_BOOTSTRAP_API_KEY']) };
  }

  async function command(...args: string[]) {
    const { stdout } = await run(process.execPath, [COMMAND_LINE, ...args, '--json'], { env });
    return JSON.parse(stdout);
  }

  /** The database outlives its service for a while: its tables, all of them written to their files. */
  async function dumpOrphan(): Promise<string> {
    const running = await findRunning({ dataDir: dataDir(), explicitDataDir: true });
    const db = openDatabase({ url: running?.url ?? '', log: createLogger({ level: 'silent' }) });
    try {
      await db.raw('checkpoint');
      return await dumpTables(db);
    } finally {
      await db.destroy();
    }
  }
});

async function readAll(directory: string): Promise<Record<string, Buffer>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(paths.map(async (path) => [relative(directory, path), await readFile(path)] as const));
  return Object.fromEntries(contents);
}
