import { COMMON_SETTINGS } from '#contract';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import { deleteAlias, insertAlias } from './alias-store.ts';
import { type AppCredentials, changedClient, checkCredentials } from './client-app.ts';
import type { IntegrationsDeps } from './deps.ts';
import { changedHostSettings } from './host-settings.ts';
import type { Integration } from './integration.ts';
import { changedConfig } from './integration-config.ts';
import { hasConnections, lockIntegrationByKey, updateIntegration } from './integration-store.ts';
import { announceIntegration, keyTaken, providerOf, unknownIntegration } from './integrations.ts';
import { secretPart } from './secret-fields.ts';

/** What a caller may change; what is left out stays as it is. */
export interface IntegrationChanges {
  readonly uniqueKey?: string | undefined;
  readonly displayName?: string | undefined;
  readonly forwardWebhooks?: boolean | undefined;
  readonly credentials?: AppCredentials | undefined;
  readonly integrationConfig?: Readonly<Record<string, string>> | undefined;
  /** Whether the caller may send credentials of connections that are there to another host. */
  readonly mayRedirectCredentials: boolean;
}

/**
 * Changes what is given, on the row as it is when nobody else may change it: of two callers who each give one member both
 * find theirs afterwards. Connections know their integration by its row, so they follow a new key. The webhook address with the
 * old key works until another integration takes that key.
 *
 * @throws ServiceError `unknown_provider_config`, `invalid_body`, `conflict` (new key taken), `not_found` (the provider of
 *   credentials or configuration is gone), `forbidden`
 */
export async function changeIntegration(
  deps: IntegrationsDeps,
  { environmentId, uniqueKey }: Pick<Integration, 'environmentId' | 'uniqueKey'>,
  changes: IntegrationChanges,
): Promise<Integration> {
  return withTransaction(deps.db, async (trx) => {
    const here = { ...deps, db: trx };
    const before = await lockIntegrationByKey(here, environmentId, uniqueKey);
    if (before === undefined) throw unknownIntegration(uniqueKey);
    const wanted = changed(deps, before, changes);
    if (!changes.mayRedirectCredentials) await refuseOtherHosts(here, before, wanted);
    const after = await updateIntegration(here, wanted);
    if (after === undefined) throw keyTaken(wanted.uniqueKey);
    if (after.uniqueKey !== before.uniqueKey) {
      await deleteAlias(trx, after);
      await insertAlias(trx, before);
    }
    await announceIntegration(deps, trx, before);
    return after;
  });
}

/**
 * Without this, a key that may only change integrations could have the refresh token of every connection sent to itself. What has
 * no connections yet may be pointed anywhere.
 */
async function refuseOtherHosts(deps: IntegrationsDeps, before: Integration, after: Integration): Promise<void> {
  if (after.integrationConfig === before.integrationConfig) return;
  const { definition } = providerOf(deps.catalogue, before);
  const fields = { ...COMMON_SETTINGS, ...definition.integration_config };
  const configs = { before: before.integrationConfig, after: after.integrationConfig };
  const changed = changedHostSettings(definition, fields, configs);
  if (changed.length === 0 || !(await hasConnections(deps.db, before))) return;
  const scopes = 'environment:integrations:read_credentials or environment:proxy:override';
  const message = `this integration has connections, and where their credentials are sent (${changed.join(', ')})`;
  throw new ServiceError('forbidden', `${message} can be changed only by an API key that also has the scope ${scopes}`);
}

function changed(deps: IntegrationsDeps, before: Integration, changes: IntegrationChanges): Integration {
  return {
    ...before,
    uniqueKey: changes.uniqueKey ?? before.uniqueKey,
    displayName: changes.displayName ?? before.displayName,
    forwardWebhooks: changes.forwardWebhooks ?? before.forwardWebhooks,
    ...clientAfter(deps, before, changes.credentials),
    ...configAfter(deps, before, changes.integrationConfig),
  };
}

function clientAfter(
  { catalogue, clock }: IntegrationsDeps,
  before: Integration,
  given: AppCredentials | undefined,
): Pick<Integration, 'client'> {
  if (given === undefined) return { client: before.client };
  checkCredentials(providerOf(catalogue, before), given);
  return { client: changedClient(before.client, given, clock.now()) };
}

function configAfter(
  deps: IntegrationsDeps,
  before: Integration,
  given: Readonly<Record<string, string>> | undefined,
): Pick<Integration, 'integrationConfig' | 'secretConfig'> {
  if (given === undefined) return { integrationConfig: before.integrationConfig, secretConfig: before.secretConfig };
  const provider = providerOf(deps.catalogue, before);
  const integrationConfig = changedConfig(deps, provider, { before: before.integrationConfig, given });
  // What was secret stays so, whatever a newer definition says.
  const kept = Object.entries(integrationConfig).filter(([name]) => Object.hasOwn(before.secretConfig, name));
  const marked = secretPart(provider.definition.integration_config, integrationConfig);
  return { integrationConfig, secretConfig: { ...Object.fromEntries(kept), ...marked } };
}
