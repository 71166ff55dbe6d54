import * as z from 'zod';
import { connectionNames } from '../connections/connection-names-store.ts';
import { shownUser, userName } from '../connections/end-user.ts';
import { integrationNames, type NamedIntegration } from '../connections/integrations/integration-names-store.ts';
import { logoUrl } from '../connections/integrations/integration-record.ts';
import { INTEGRATION, INTEGRATION_KEY } from './examples.ts';
import type { ApiServices } from './services.ts';

/** The schema of the name that a record about a connection has. */
export const connectionName = z
  .string()
  .nullable()
  .describe('current name of the connection: that of its end user, or else their e-mail address or ID; null: none, or deleted');

const namedIntegration = z.strictObject({ unique_key: z.string(), display_name: z.string(), logo: z.url() });
export const NAMED_INTEGRATION = { unique_key: INTEGRATION_KEY, display_name: INTEGRATION.display_name, logo: INTEGRATION.logo };

/** The schema of the fields that `named` adds to a record. */
export const currentNames = {
  connection_name: connectionName,
  integration: namedIntegration
    .nullable()
    .describe('the integration that has the key now, or else the one that had it before its key was changed; null: none'),
};
export type Names = z.output<z.ZodObject<typeof currentNames>>;
export const NAMES = {
  connection_name: 'Jane Doe',
  integration: NAMED_INTEGRATION,
};

interface OfConnection {
  readonly connection_id: string | null;
  readonly provider_config_key: string | null;
}

/** Returns the records, each with the current names of its connection and its integration added. */
export async function named<Entry extends OfConnection>(
  { db, baseUrl }: Pick<ApiServices, 'db' | 'baseUrl'>,
  environmentId: number,
  entries: readonly Entry[],
): Promise<readonly (Entry & Names)[]> {
  const ids = entries.flatMap(({ connection_id: id }) => id ?? []);
  const found = await connectionNames(db, environmentId, [...new Set(ids)]);
  const keys = entries.flatMap(({ provider_config_key: key }) => key ?? []);
  const integrations = await integrationNames(db, environmentId, keys);
  return entries.map((entry) => {
    const { connection_id: id, provider_config_key: key } = entry;
    const integration = key === null ? undefined : integrations.get(key);
    const own = found.find((one) => one.connection_id === id && one.provider_config_key === integration?.unique_key);
    return {
      ...entry,
      connection_name: own ? userName(shownUser(own.tags, own.end_user)) : null,
      integration: integration ? shownIntegration(baseUrl, integration) : null,
    };
  });
}

/** Returns what is shown of an integration beside what happened with it. */
export function shownIntegration(baseUrl: string, { unique_key, display_name, provider }: NamedIntegration) {
  return { unique_key, display_name, logo: logoUrl(baseUrl, provider) };
}
