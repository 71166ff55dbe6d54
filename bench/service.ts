import { existsSync } from 'node:fs';
import { findRunning } from '../core/db/embedded-postgres/embedded-postgres.ts';
import { KeyRing } from '../core/kit/key-ring.ts';
import { startFakeProvider } from '../test/support/fake-provider/fake-provider.ts';
import { temporaryDiskFolder } from '../test/support/folders.ts';
import { type Client, client } from '../test/support/http-client.ts';
import { startService } from '../test/support/processes.ts';
import { newServiceEnv } from '../test/support/service-env.ts';
import { WebWalker } from '../test/support/web-walker.ts';

const INTEGRATION = 'bench';

export interface OurService {
  readonly port: number;
  readonly pid: number;
  /** The headers to send with a call through the proxy. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connectionId: string;
  readonly integration: string;
  readonly api: Client;
  readonly keys: KeyRing;
  /** The URL of the service's database. */
  readonly databaseUrl: string;
}

/**
 * Starts the service in its own process and creates a connection by OAuth.
 *
 * @returns undefined if `core/start.js` does not exist
 */
export async function startOurService(
  stack: AsyncDisposableStack,
  upstream: string,
  more: Readonly<Record<string, string>> = {},
): Promise<OurService | undefined> {
  if (!existsSync(new URL('../core/start.js', import.meta.url))) return undefined;
  const { path: dataDir } = stack.use(await temporaryDiskFolder());
  const env = { ...newServiceEnv(), SVC_DATA_DIR: dataDir, SVC_LOG_LEVEL: 'warn', ...more };
  const service = stack.use(await startService({ env }));
  const connectionId = await connect(service.url, env.SVC_BOOTSTRAP_API_KEY, upstream);
  const headers = {
    authorization: `Bearer ${env.SVC_BOOTSTRAP_API_KEY}`,
    'provider-config-key': INTEGRATION,
    'connection-id': connectionId,
  };
  const api = client(service.url, env.SVC_BOOTSTRAP_API_KEY);
  const databaseUrl = more['DATABASE_URL'] ?? (await findRunning({ dataDir, explicitDataDir: true }))?.url ?? '';
  const process = { port: Number(new URL(service.url).port), pid: service.pid ?? 0 };
  const keys = KeyRing.parse(env.SVC_ENCRYPTION_KEYS);
  return { ...process, headers, connectionId, integration: INTEGRATION, api, keys, databaseUrl };
}

async function connect(url: string, key: string, upstream: string): Promise<string> {
  await using provider = await startFakeProvider();
  const api = client(url, key);
  const integration = await api.post('/integrations', {
    unique_key: INTEGRATION,
    provider: 'generic-oauth',
    credentials: { type: 'OAUTH2', client_id: provider.clientId, client_secret: provider.clientSecret, scopes: 'read' },
    integration_config: { authorization_url: provider.authorizationUrl, token_url: provider.tokenUrl, api_base_url: upstream },
  });
  if (integration.status !== 200) throw new Error(`no integration: ${integration.text}`);
  const session = await api.post('/connect/sessions', {});
  const page = await new WebWalker().follow(
    `${url}/oauth/connect/${INTEGRATION}?connect_session_token=${session.body.data.token}`,
  );
  if (!('status' in page) || page.status !== 200) throw new Error('the authorization failed');
  const list = await api.get('/connections');
  return list.body.connections[0].connection_id;
}
