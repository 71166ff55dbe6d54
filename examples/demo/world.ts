import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../test/support/command-line.ts';
import { freePort, isFree } from '../../test/support/free-port.ts';
import { type Client, client } from '../../test/support/http-client.ts';
import { startService } from '../../test/support/processes.ts';
import { newServiceEnv } from '../../test/support/service-env.ts';
import { startApplication } from './application.ts';

const SERVICE_PORT = 3003;
const APPLICATION_PORT = 3004;

export const INTEGRATION = 'notes';

/** The running service with a sandbox integration, and the example application that gets its webhooks. */
export interface World extends AsyncDisposable {
  readonly serviceUrl: string;
  readonly service: Client;
  /** The API key, which may be shown because the service and its data are deleted when the demo ends. */
  readonly apiKey: string;
  readonly appUrl: string;
}

/** Starts the service and the application, with a data directory that is removed at the end. */
export async function startWorld(): Promise<World> {
  await using starting = new AsyncDisposableStack();
  const directory = await temporaryDirectory(starting);
  const servicePort = await portNear(SERVICE_PORT);
  const serviceUrl = `http://localhost:${servicePort}`;
  const env = { ...newServiceEnv(), SVC_DATA_DIR: join(directory, 'data'), SVC_BASE_URL: serviceUrl };
  starting.use(await startService({ env, port: servicePort }));

  const apiKey = env.SVC_BOOTSTRAP_API_KEY;
  const service = client(serviceUrl, apiKey);
  const { status } = await service.post('/integrations', {
    unique_key: INTEGRATION,
    provider: 'sandbox-oauth2',
    display_name: 'Notes',
  });
  if (status !== 200) throw new Error(`the integration was not created: ${status}`);

  const appPort = await portNear(APPLICATION_PORT);
  const webhookSecret = await setEnvironment(`http://127.0.0.1:${appPort}/webhooks`, env);
  const application = await startApplication({ serviceUrl, apiKey, webhookSecret, port: appPort });
  starting.use(application);

  const running = starting.move();
  return { serviceUrl, service, apiKey, appUrl: application.url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Sets the brand name and the webhook URL of the environment, and turns its webhooks on. @returns the secret that signs them */
async function setEnvironment(webhookUrl: string, env: Readonly<Record<string, string>>): Promise<string> {
  const told = ['--on-new-connection', 'on', '--on-refresh', 'on', '--on-deletion', 'on'];
  const flags = ['--brand-name', 'Northwind', '--webhook-url', webhookUrl, ...told, '--json'];
  const { code, stdout, stderr } = await runCommand(env, 'env', 'set', ...flags);
  if (code !== 0) throw new Error(`the environment was not set up: ${stderr}`);
  return JSON.parse(stdout).webhook_secret;
}

async function portNear(wanted: number): Promise<number> {
  if (await isFree(wanted)) return wanted;
  const port = await freePort();
  console.log(`Port ${wanted} is taken; using ${port} instead.`);
  return port;
}

async function temporaryDirectory(stack: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-demo-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  // If root starts the demo, the embedded database runs as another user, who must be able to pass through this directory.
  await chmod(directory, 0o711);
  return directory;
}
