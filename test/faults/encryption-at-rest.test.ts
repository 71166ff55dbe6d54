import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../core/db/database.ts';
import { findRunning } from '../../core/db/embedded-postgres/embedded-postgres.ts';
import { stopLeftoverServer } from '../../core/db/embedded-postgres/leftover-server.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { canary, rememberSecret, sweep } from '../support/canaries.ts';
import { runCommand } from '../support/command-line.ts';
import { authorize, type Connected, createSession, mustBe, readConnection } from '../support/connect.ts';
import { dumpTables } from '../support/database.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders, temporaryFolder } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { createHook, hookSender, makeHooked } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { pemKey } from '../support/integration-bodies.ts';
import { serve } from '../support/loopback-server.ts';
import { IMPORTED_MODES, importableOf, integrate, makeModeProviders, providerOfMode } from '../support/mode-providers.ts';
import { type ServiceProcess, startService } from '../support/processes.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/**
 * A text that is stored unencrypted. The search for secrets must find it in the same bytes; otherwise finding no secret would
 * prove nothing.
 */
const OPEN_NAME = 'A display name that is no secret';
const JSON_TYPE = { 'content-type': 'application/json' };

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
  const folder = use(this, temporaryFolder);
  const providers = use(this, () => makeFolders({ 'vault-example/provider.json': JSON.stringify(PROVIDER) }));
  const modes = use(this, makeModeProviders);
  const hooked = use(this, makeHooked);
  const provider = use(this, () => startFakeProvider({ rotation: 'strict' }));
  let service: ServiceProcess;
  let env: Record<string, string>;
  let dump: string;
  let files: Readonly<Record<string, Buffer>>;
  const secrets = { apiKey: '', sessionToken: '' };

  before(async () => {
    // The operator sets no encryption keys, so the service creates its own.
    const { SVC_ENCRYPTION_KEYS: _, ...others } = newServiceEnv();
    env = { ...others, SVC_DATA_DIR: dataDir(), SVC_PROVIDERS_DIR: `${providers.path}:${modes.path}`, ...hooked.env };
    service = await startService({ env });
    await fill();
    service.signal('SIGKILL');
    await service.exit;
    dump = await dumpOrphan();
    files = await readAll(cluster());
  });
  after(() => stopLeftoverServer(cluster()));

  it('contains what was written, in its tables and in its write-ahead log', () => {
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
    for (const secret of [secrets.apiKey, secrets.sessionToken, env['SVC_BOOTSTRAP_API_KEY'] ?? ''])
      expect(dump).to.contain(createHash('sha256').update(secret).digest('hex'));
  });

  it('has the encryption keys beside the database, readable by the operator alone', async () => {
    // `SVC_BOOTSTRAP_API_KEY` sets the API key, so no file holds it.
    for (const name of ['encryption-keys', 'account-key']) {
      const { mode } = await stat(join(dataDir(), name));
      expect(mode & 0o777, name).to.equal(0o600);
    }
  });

  it('has webhooks that wait to be sent', () => {
    const [, rows = ''] = /^-- webhook_messages\n([\s\S]*?)^-- /m.exec(dump) ?? [];
    for (const type of ['auth', 'forward']) expect(rows).to.match(new RegExp(`\t${type}\t`));
  });

  it('has both versions of a script', () => {
    const [, rows = ''] = /^-- script_versions\n([\s\S]*?)^-- /m.exec(dump) ?? [];
    expect(rows.trim().split('\n')).to.have.length(2);
    expect(dump).to.match(/\tpost-connection-creation\tt\t2\t/);
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

  /** Gives the service a canary for every kind of secret that it stores. */
  async function fill(): Promise<void> {
    const ring = await readFile(join(dataDir(), 'encryption-keys'), 'utf8');
    rememberSecret('encryption key', ring.trim().slice(ring.indexOf(':') + 1));
    const connected = await connectWithSecrets();
    const refreshed = await readConnection(serviceClient(), connected, '&force_refresh=true');
    mustBe(200, refreshed);
    const environment = await command('env', 'set', '--variable', `TOKEN=${canary('environment variable')}`);
    rememberSecret('webhook secret of the environment', environment.webhook_secret);
    await sendWebhooks(environment);
    await importAll();
    await deployScripts();
    const created = await command('api-keys', 'create', '--name', 'backend', '--scopes', 'environment:*');
    secrets.apiKey = rememberSecret('API key', created.secret);
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
    const input = { allowed_integrations: [key], integrations_config_defaults: { [key]: preset } };
    secrets.sessionToken = await createSession(serviceClient(), input);
    mustBe(200, await authorize(serviceClient(), { key, token: secrets.sessionToken }));
    rememberFlow();
    await createSession(serviceClient(), input);
    const { body } = await serviceClient().api.get('/connections');
    return { connectionId: body.connections[0].connection_id, key };
  }

  /** Imports one connection with each kind of credentials that can be imported. */
  async function importAll(): Promise<void> {
    const { api } = serviceClient();
    const token = { token: canary('installation token'), expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    await using installations = await serve((_request, response) =>
      response.writeHead(201, JSON_TYPE).end(JSON.stringify(token)),
    );
    const app = {
      credentials: { client_id: '4711', client_secret: rememberSecret('private key of an app', pemKey('pkcs8')) },
      integration_config: { api_base_url: installations.url },
    };
    for (const mode of IMPORTED_MODES) {
      const provider_config_key = await integrate({ api }, providerOfMode(mode), mode === 'APP' ? app : {});
      mustBe(200, await api.post('/connections', { provider_config_key, credentials: importableOf(mode) }));
    }
  }

  /** Deploys a script in JavaScript, then its next version in TypeScript, so that only the TypeScript version runs. */
  async function deployScripts(): Promise<void> {
    for (const language of ['javascript', 'typescript']) {
      const source = `export default async () => ${JSON.stringify(canary(`secret in a script in ${language}`))};`;
      const path = '/integrations/vault/scripts/post-connection-creation';
      mustBe(200, await serviceClient().api.put(path, { source, language }));
    }
  }

  /** Receives and sends webhooks, and rotates each secret that signs them once. The previous secret is kept for a day. */
  async function sendWebhooks({ uuid }: { readonly uuid: string }): Promise<void> {
    const { api } = serviceClient();
    await command('env', 'set', '--webhook-url', `http://127.0.0.1:${await freePort()}`, '--on-new-connection', 'on');
    rememberSecret('second webhook secret', (await command('env', 'rotate-webhook-secret')).webhook_secret);
    const hook = await createHook(api, uuid);
    const credentials = { webhook_secret: canary('second webhook secret of the integration') };
    mustBe(200, await api.patch(`/integrations/${hook.key}`, { credentials }));
    mustBe(200, await hookSender(api, hook)({ text: canary('payload of a webhook') }));
    const isForwarded = async () => (await api.get('/webhook-messages?type=forward')).body.data.length > 0;
    await until('the forward of a webhook', isForwarded);
  }

  /** Remembers the secrets that the service generated for the flow, as the provider received them. */
  function rememberFlow(): void {
    rememberSecret('OAuth state', provider.ledger.of('authorize')[0]?.params['state'] ?? '');
    rememberSecret('PKCE verifier', provider.ledger.of('token')[0]?.params['code_verifier'] ?? '');
  }

  function serviceClient() {
    return { url: service.url, api: client(service.url, env['SVC_BOOTSTRAP_API_KEY']) };
  }

  async function command(...args: string[]) {
    const { code, stdout, stderr } = await runCommand(env, ...args, '--json');
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  }

  /**
   * Returns a dump of the database, whose server outlives the killed service for a while. A checkpoint first writes all tables to
   * their files.
   */
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
