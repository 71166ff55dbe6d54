import type { JsonObject } from '#contract';
import { integrationRecord } from '../../connections/integrations/integration-record.ts';
import { unknownIntegration } from '../../connections/integrations/integrations.ts';
import { openPart } from '../../connections/integrations/secret-fields.ts';
import { registeredAddress, webhookAddress, webhookTagKey } from '../../connections/integrations/webhook-address.ts';
import { environmentById } from '../../tenants/environments/environment-store.ts';
import type { ScriptDeps } from '../deps.ts';
import type { RunSubject } from '../subject.ts';

/**
 * The integration's record with its webhook URLs, one for all its connections and one for this connection, and the webhook
 * secret. No other secrets of the app.
 */
export async function getIntegration(deps: ScriptDeps, subject: RunSubject): Promise<JsonObject> {
  const { integration } = subject;
  return {
    ...integrationRecord(integration, deps.baseUrl),
    integration_config: openPart(integration.integrationConfig, integration.secretConfig),
    ...(await addressesOf(deps, subject)),
    webhook_secret: integration.client.webhookSecret ?? null,
  };
}

/** None if the whole environment is being deleted. */
async function addressesOf(deps: ScriptDeps, { kind, integration, connection }: RunSubject): Promise<JsonObject> {
  const { environmentId, uniqueKey: integrationKey } = integration;
  const environment = await environmentById(deps.db, environmentId);
  const tagKey = await webhookTagKey(deps, environmentId);
  if (environment === undefined || tagKey === undefined) {
    if (kind === 'marked') return {};
    throw unknownIntegration(integrationKey);
  }
  const address = { baseUrl: deps.baseUrl, environmentUuid: environment.uuid, integrationKey };
  return {
    webhook_url: webhookAddress(address),
    connection_webhook_url: registeredAddress(tagKey, { ...address, connectionId: connection.connectionId }),
  };
}
