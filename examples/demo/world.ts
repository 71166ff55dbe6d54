import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../test/support/command-line.ts';
import { type Client, client } from '../../test/support/http-client.ts';
import { ServiceProcess } from '../../test/support/processes.ts';
import { newServiceEnv } from '../../test/support/service-env.ts';
import { startApplication } from './application.ts';
import { awaited } from './awaited.ts';
import { startAtPort } from './ports.ts';

const SERVICE_PORT = 3003;
const APPLICATION_PORT = 3004;
/** The name of the example application, and the color of its buttons. */
const BRAND = ['--brand-name', 'Northwind', '--brand-color', '#0f6b50'];
const ADMIN_EMAIL = 'operator@northwind.example';

export const INTEGRATION = 'notes';

/** The running service with a sandbox integration, and the example application that gets its webhooks. */
export interface World extends AsyncDisposable {
  readonly serviceUrl: string;
  readonly service: Client;
  /** The API key, which may be shown because the service and its data are deleted when the demo ends. */
  readonly apiKey: string;
  /** A file with the `Authorization` header, for curl. Like the password file, only the user can read it. */
  readonly authorizationFile: string;
  readonly admin: Admin;
  readonly appUrl: string;
}

interface Admin {
  readonly email: string;
  readonly password: string;
  readonly passwordFile: string;
}

/** Starts the service and the application, with a data directory that is removed at the end. */
export async function startWorld(): Promise<World> {
  await using starting = new AsyncDisposableStack();
  const directory = await temporaryDirectory(starting);
  const admin = await newAdmin(directory);
  const settings = {
    ...newServiceEnv(),
    SVC_DATA_DIR: join(directory, 'data'),
    SVC_ADMIN_EMAIL: admin.email,
    SVC_ADMIN_PASSWORD_FILE: admin.passwordFile,
  };
  const apiKey = settings.SVC_BOOTSTRAP_API_KEY;
  const authorizationFile = await privateFile(directory, 'authorization', `Authorization: Bearer ${apiKey}`);
  const { serviceUrl, env } = await startAtPort(SERVICE_PORT, async (port) => {
    const serviceUrl = `http://localhost:${port}`;
    const env = { ...settings, SVC_BASE_URL: serviceUrl };
    await startService(starting.use(new ServiceProcess({ env, port })));
    return { serviceUrl, env };
  });

  const service = client(serviceUrl, apiKey);
  const { status } = await service.post('/integrations', {
    unique_key: INTEGRATION,
    provider: 'sandbox-oauth2',
    display_name: 'Notes',
  });
  if (status !== 200) throw new Error(`the integration was not created: ${status}`);

  const application = await startAtPort(APPLICATION_PORT, async (port) => {
    const webhookUrl = `http://127.0.0.1:${port}/webhooks`;
    const webhookSecret = await awaited(() => 'the settings of the environment', setEnvironment(webhookUrl, env));
    const started = startApplication({ serviceUrl, apiKey, webhookSecret, port });
    return awaited(() => 'the example application', started);
  });
  starting.use(application);

  const running = starting.move();
  const stop = () => running.disposeAsync();
  return { serviceUrl, service, apiKey, authorizationFile, admin, appUrl: application.url, [Symbol.asyncDispose]: stop };
}

/** Waits until this very process says that it is ready: if another service has taken the port, that one answers there. */
async function startService(service: ServiceProcess): Promise<void> {
  const isMigrated = () => service.output.stdout.includes('"migrated"');
  await awaited(() => (isMigrated() ? 'the service' : 'the database'), service.logged('ready'));
}

async function newAdmin(directory: string): Promise<Admin> {
  const password = randomBytes(12).toString('base64url');
  return { email: ADMIN_EMAIL, password, passwordFile: await privateFile(directory, 'password', password) };
}

/** @returns the path of a file that only the user can read */
async function privateFile(directory: string, name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, `${text}\n`, { mode: 0o600, flag: 'wx' });
  return path;
}

/** Sets the brand and the webhook URL of the environment, and turns its webhooks on. @returns the secret that signs them */
async function setEnvironment(webhookUrl: string, env: Readonly<Record<string, string>>): Promise<string> {
  const told = ['--on-new-connection', 'on', '--on-refresh', 'on', '--on-deletion', 'on'];
  const flags = [...BRAND, '--webhook-url', webhookUrl, ...told, '--json'];
  const { code, stdout, stderr } = await runCommand(env, 'env', 'set', ...flags);
  if (code !== 0) throw new Error(`the environment was not set up: ${stderr}`);
  return JSON.parse(stdout).webhook_secret;
}

async function temporaryDirectory(stack: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-demo-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  // If root starts the demo, the embedded database runs as another user, who must be able to pass through this directory.
  await chmod(directory, 0o711);
  return directory;
}
