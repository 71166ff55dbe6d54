import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { type HonestProvider, startHonestProvider } from '../../test/support/honest-provider/honest-provider.ts';
import { type Client, client } from '../../test/support/http-client.ts';
import { startService } from '../../test/support/processes.ts';
import { newServiceEnv } from '../../test/support/service-env.ts';

const SERVICE_PORT = 3003;
const PROVIDER_PORT = 3004;

/** So short that a renewal can be watched; it becomes due when a third of the lifetime is left. */
export const ACCESS_TOKEN_TTL_SECONDS = 6;

/** The service and an external API, both on this machine. */
export interface World extends AsyncDisposable {
  readonly serviceUrl: string;
  readonly service: Client;
  /** Of a service that is gone when the demo ends. */
  readonly apiKey: string;
  readonly provider: HonestProvider;
}

/** Starts both, with a data directory that is gone afterwards. */
export async function startWorld(): Promise<World> {
  await using starting = new AsyncDisposableStack();
  const [servicePort, providerPort] = [await portNear(SERVICE_PORT), await portNear(PROVIDER_PORT)];
  const serviceUrl = `http://localhost:${servicePort}`;
  const provider = starting.use(
    await startHonestProvider({
      port: providerPort,
      redirectUris: [`${serviceUrl}/oauth/callback`],
      accessTokenTtlSeconds: ACCESS_TOKEN_TTL_SECONDS,
    }),
  );
  const directory = await temporaryDirectory(starting);
  const env = { ...newServiceEnv(), SVC_DATA_DIR: join(directory, 'data'), SVC_BASE_URL: serviceUrl };
  starting.use(await startService({ env, port: servicePort }));

  const running = starting.move();
  return {
    serviceUrl,
    service: client(serviceUrl, env.SVC_BOOTSTRAP_API_KEY),
    apiKey: env.SVC_BOOTSTRAP_API_KEY,
    provider,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function portNear(wanted: number): Promise<number> {
  const port = await freePort(wanted);
  if (port !== wanted) console.log(`Port ${wanted} is taken; using ${port} instead.`);
  return port;
}

async function temporaryDirectory(stack: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-demo-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  // Started by root, the embedded database runs as another user, who has to be able to walk through.
  await chmod(directory, 0o711);
  return directory;
}
