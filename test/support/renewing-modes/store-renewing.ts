import { insertConnection } from '../../../core/connections/connection-store.ts';
import { integrationByKey } from '../../../core/connections/integrations/integration-store.ts';
import { writeMissingRefreshes } from '../../../core/credentials/due-store.ts';
import { newConnectionId } from '../../../core/kit/random-id.ts';
import type { TestApp } from '../app.ts';
import { type Connected, mustBe, type Service } from '../connect.ts';
import { type Folder, makeFolders } from '../folders.ts';
import { RENEWING, RENEWING_NAMES, renewingMode, storedCredentials } from './renewing-modes.ts';

const COMMON = {
  docs: 'https://docs.example.com',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  proxy: { base_url: '${integrationConfig.server}/api' },
};
const CONFIG = { external_id: { type: 'string', title: 'External ID', pattern: '[a-z-]+', hidden: true, optional: true } };

export const keyOfRenewing = (name: string) => `renewing-${name.toLowerCase().replaceAll('_', '-')}`;

/** Creates a folder for `SVC_PROVIDERS_DIR` with a provider for each mode in `RENEWING`. */
export function makeRenewingProviders(): Promise<Folder> {
  const files = Object.entries(RENEWING).map(([name, { definition }]) => [
    `${keyOfRenewing(name)}/provider.json`,
    JSON.stringify({ display_name: name, auth_mode: name, connection_config: CONFIG, ...COMMON, ...definition }),
  ]);
  return makeFolders(Object.fromEntries(files));
}

/** Registers an integration for each of the named modes. */
export async function integrateRenewing({ api }: Pick<Service, 'api'>, server: string, names = RENEWING_NAMES): Promise<void> {
  for (const name of names) {
    const { app } = renewingMode(name);
    const body = { unique_key: keyOfRenewing(name), provider: keyOfRenewing(name), integration_config: { server } };
    mustBe(200, await api.post('/integrations', { ...body, ...(app !== undefined && { credentials: { type: name, ...app } }) }));
  }
}

type Writing = Pick<TestApp['services'], 'db' | 'keys'>;

/** Stores a connection of the named mode, whose credentials are valid for an hour. */
export async function storeRenewing({ services }: { readonly services: Writing }, name: string): Promise<Connected> {
  const integration = await integrationByKey(services, 1, keyOfRenewing(name));
  if (integration === undefined) throw new Error(`there is no integration for ${name}`);
  const connectionId = newConnectionId();
  await insertConnection(services, {
    environmentId: 1,
    integrationId: integration.id,
    connectionId,
    credentials: storedCredentials(name, String(integration.integrationConfig['server'])),
    connectionConfig: renewingMode(name).connectionConfig ?? {},
    tags: {},
    clientFingerprint: null,
    endUser: null,
    webhookUrlOverride: null,
  });
  await writeMissingRefreshes(services.db, 1, { marginSeconds: 900, proofHours: null });
  return { connectionId, key: keyOfRenewing(name) };
}
