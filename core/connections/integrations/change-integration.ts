import { withTransaction } from '../../db/transaction.ts';
import { forgetAddressChecks } from './address-check-store.ts';
import { deleteAlias, insertAlias } from './alias-store.ts';
import { type AppCredentials, changedClient, checkCredentials, namesApp } from './client-app.ts';
import type { Authorize } from './deciding.ts';
import type { IntegrationsDeps } from './deps.ts';
import { formerClientsAfter, withClients, withoutUnneeded } from './former-clients.ts';
import { changedHostSettings } from './host-settings.ts';
import type { ConnectScreen, Integration } from './integration.ts';
import { changedConfig } from './integration-config.ts';
import { clientsOfConnections, hasConnections, lockIntegrationByKey, updateIntegration } from './integration-store.ts';
import { announceIntegration, keyTaken, providerOf, unknownIntegration } from './integrations.ts';
import { secretPart } from './secret-fields.ts';
import { isKeyOfAnother, rememberKey } from './used-key-store.ts';

/** The settings that a caller may change; omitted ones stay unchanged. */
interface IntegrationChanges {
  readonly uniqueKey?: string | undefined;
  readonly displayName?: string | undefined;
  readonly forwardWebhooks?: boolean | undefined;
  readonly credentials?: AppCredentials | undefined;
  readonly integrationConfig?: Readonly<Record<string, string>> | undefined;
  readonly connectScreen?: ConnectScreen | undefined;
  readonly authorize: Authorize;
}

/**
 * Applies the changes to the locked row, so that of two concurrent changes of different settings neither is lost. Connections
 * refer to their integration by row ID, so they keep it when its key changes. The webhook address with the old key works until
 * another integration gets that key.
 *
 * @throws ServiceError `unknown_provider_config`, `invalid_body` (values that do not fit the provider), `conflict` (new key
 *   taken), `not_found` (credentials or configuration change, but the provider is gone), and what `authorize` throws
 */
export async function changeIntegration(
  deps: IntegrationsDeps,
  { environmentId, uniqueKey }: Pick<Integration, 'environmentId' | 'uniqueKey'>,
  changes: IntegrationChanges,
): Promise<Integration> {
  return withTransaction(deps.db, async (trx) => {
    const inside = { ...deps, db: trx };
    const before = await lockIntegrationByKey(inside, environmentId, uniqueKey);
    if (before === undefined) throw unknownIntegration(uniqueKey);
    const updated = await withFormerClients(inside, before, changed(deps, before, changes));
    changes.authorize({
      hosts: redirectingSettings(inside, before, updated),
      isUsedKey: updated.uniqueKey !== before.uniqueKey && (await isKeyOfAnother(trx, updated)),
      hasOwnApp: namesApp(changes.credentials),
      hasConnections: await hasConnections(trx, before),
    });
    const after = await updateIntegration(inside, updated);
    if (after === undefined) throw keyTaken(updated.uniqueKey);
    const hasNewKey = after.uniqueKey !== before.uniqueKey;
    if (hasNewKey || hasOtherSecrets(before, updated)) await forgetAddressChecks(trx, after, { all: hasNewKey });
    if (hasNewKey) {
      await deleteAlias(trx, after);
      await insertAlias(trx, before);
      for (const one of [before, after]) await rememberKey(trx, one);
    }
    await announceIntegration(deps, trx, before);
    return after;
  });
}

/**
 * Returns the names of the changed settings that decide where credentials are sent. By changing these, a caller who is only
 * permitted to change integrations could have the refresh tokens of all connections sent to another host.
 */
function redirectingSettings(deps: IntegrationsDeps, before: Integration, after: Integration): readonly string[] {
  if (after.integrationConfig === before.integrationConfig) return [];
  const { definition } = providerOf(deps.catalogue, before);
  return changedHostSettings(definition, { before: before.integrationConfig, after: after.integrationConfig });
}

/** Returns whether a value differs by which a provider proves that it checks the webhook address. */
function hasOtherSecrets(before: Integration, after: Integration): boolean {
  const secrets = ({ client, integrationConfig }: Integration) =>
    JSON.stringify([client.clientId, client.clientSecret, client.webhookSecret, integrationConfig]);
  return secrets(before) !== secrets(after);
}

/** Adds the replaced client to the former clients: connections keep using the client that authorized them (RFC 6749 §6). */
async function withFormerClients(
  { db, catalogue, clock }: IntegrationsDeps,
  before: Integration,
  after: Integration,
): Promise<Integration> {
  if (after.client === before.client) return after;
  const now = clock.now();
  const former = formerClientsAfter({ before, after, provider: providerOf(catalogue, before), now });
  return withClients(after, former.length === 0 ? former : withoutUnneeded(former, await clientsOfConnections(db, before), now));
}

function changed(deps: IntegrationsDeps, before: Integration, changes: IntegrationChanges): Integration {
  return {
    ...before,
    uniqueKey: changes.uniqueKey ?? before.uniqueKey,
    displayName: changes.displayName ?? before.displayName,
    forwardWebhooks: changes.forwardWebhooks ?? before.forwardWebhooks,
    connectScreen: changes.connectScreen ?? before.connectScreen,
    ...clientAfter(deps, before, changes.credentials),
    ...configAfter(deps, before, changes.integrationConfig),
  };
}

function clientAfter(
  { catalogue, clock }: IntegrationsDeps,
  before: Integration,
  credentials: AppCredentials | undefined,
): Pick<Integration, 'client'> {
  if (credentials === undefined) return { client: before.client };
  checkCredentials(providerOf(catalogue, before), credentials);
  return { client: changedClient(before.client, credentials, clock.now()) };
}

function configAfter(
  deps: IntegrationsDeps,
  before: Integration,
  changes: Readonly<Record<string, string>> | undefined,
): Pick<Integration, 'integrationConfig' | 'secretConfig'> {
  if (changes === undefined) return { integrationConfig: before.integrationConfig, secretConfig: before.secretConfig };
  const provider = providerOf(deps.catalogue, before);
  const integrationConfig = changedConfig(deps, provider, { before: before.integrationConfig, changes });
  // A value that was stored as secret stays secret, even if a newer definition no longer marks it so.
  const kept = Object.entries(integrationConfig).filter(([name]) => Object.hasOwn(before.secretConfig, name));
  const marked = secretPart(provider.definition.integration_config, integrationConfig);
  return { integrationConfig, secretConfig: { ...Object.fromEntries(kept), ...marked } };
}
