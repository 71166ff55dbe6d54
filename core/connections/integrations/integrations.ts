import type { Knex } from 'knex';
import { type Catalogue, type Provider, whyMissing } from '../../catalogue/catalogue.ts';
import type { Notices } from '../../db/notices.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { deleteAlias } from './alias-store.ts';
import { type AppCredentials, changedClient, checkCredentials, namesApp } from './client-app.ts';
import type { Authorize } from './deciding.ts';
import { requireSandboxAllowed } from './demo-provider.ts';
import type { IntegrationsDeps } from './deps.ts';
import { givenHostSettings } from './host-settings.ts';
import type { Integration } from './integration.ts';
import { changedConfig } from './integration-config.ts';
import { insertIntegration, integrationByKey } from './integration-store.ts';
import { secretPart } from './secret-fields.ts';
import { isKeyOfAnother, rememberKey } from './used-key-store.ts';

/**
 * The topic of notices that an integration changed; the payload is the beginning of the `addressKey` (`connections.ts`) of every
 * connection concerned.
 */
export const INTEGRATION_TOPIC = 'integration';

/** A new integration as callers describe it. */
interface IntegrationRequest {
  readonly uniqueKey: string;
  readonly provider: string;
  readonly displayName?: string | undefined;
  readonly forwardWebhooks?: boolean | undefined;
  readonly credentials?: AppCredentials | undefined;
  readonly integrationConfig?: Readonly<Record<string, string>> | undefined;
  readonly authorize: Authorize;
}

/**
 * Creates an integration.
 *
 * @throws ServiceError `invalid_body` (unknown provider, wrong configuration, wrong credentials), `conflict` (key taken),
 *   `forbidden` (a sandbox in production), and what `authorize` throws
 */
export async function createIntegration(
  deps: IntegrationsDeps,
  environmentId: number,
  request: IntegrationRequest,
): Promise<Integration> {
  const provider = findProvider(deps.catalogue, request.provider);
  await requireSandboxAllowed(deps.db, environmentId, provider);
  checkCredentials(provider, request.credentials ?? {});
  const integrationConfig = changedConfig(deps, provider, { before: {}, changes: request.integrationConfig ?? {} });
  const authorize = (isUsedKey: boolean) =>
    request.authorize({
      hosts: givenHostSettings(provider.definition, request.integrationConfig ?? {}),
      isUsedKey,
      hasOwnApp: namesApp(request.credentials),
      hasConnections: false,
    });
  const created = await insertAndAnnounce(deps, authorize, {
    environmentId,
    uniqueKey: request.uniqueKey,
    provider: provider.slug,
    displayName: request.displayName ?? provider.definition.display_name,
    forwardWebhooks: request.forwardWebhooks ?? true,
    client: changedClient({ scopes: [] }, request.credentials ?? {}, deps.clock.now()),
    integrationConfig,
    secretConfig: secretPart(provider.definition.integration_config, integrationConfig),
  });
  if (created === undefined) throw keyTaken(request.uniqueKey);
  return created;
}

/**
 * Inserts an integration and sends a notice, since scripts in `SVC_SCRIPTS_DIR` may be waiting for it. An alias by which another
 * integration still receives deliveries under this key is deleted, so that they now reach the new integration.
 */
async function insertAndAnnounce(
  deps: IntegrationsDeps,
  authorize: (isUsedKey: boolean) => void,
  integration: Parameters<typeof insertIntegration>[1],
): Promise<Integration | undefined> {
  return withTransaction(deps.db, async (trx) => {
    authorize(await isKeyOfAnother(trx, integration));
    const created = await insertIntegration({ ...deps, db: trx }, integration);
    if (created === undefined) return undefined;
    await deleteAlias(trx, created);
    await rememberKey(trx, created);
    await announceIntegration(deps, trx, created);
    return created;
  });
}

/**
 * Creates an integration that needs no credentials, since the operator shares an app for its provider.
 *
 * @throws ServiceError `invalid_body` when there is no shared app, `conflict` (key taken)
 */
export async function createFromSharedApp(
  deps: IntegrationsDeps,
  environmentId: number,
  request: Omit<IntegrationRequest, 'credentials' | 'integrationConfig'>,
): Promise<Integration> {
  if (findProvider(deps.catalogue, request.provider).sharedApp === undefined)
    throw wrongProvider(`there is no shared app for the provider "${request.provider}"; pass the credentials of your own app`);
  return createIntegration(deps, environmentId, request);
}

/**
 * Reads an integration by its key.
 *
 * @throws ServiceError `unknown_provider_config` when the environment has no such integration
 */
export async function requireIntegration(deps: StoreDeps, environmentId: number, uniqueKey: string): Promise<Integration> {
  const integration = await integrationByKey(deps, environmentId, uniqueKey);
  if (integration === undefined) throw unknownIntegration(uniqueKey);
  return integration;
}

export function unknownIntegration(uniqueKey: string): ServiceError {
  return new ServiceError('unknown_provider_config', `there is no integration "${uniqueKey}" in this environment`);
}

export function keyTaken(uniqueKey: string): ServiceError {
  return new ServiceError('conflict', `an integration "${uniqueKey}" already exists; choose another unique_key`);
}

/** Returns the provider of an integration. @throws ServiceError `not_found` when the provider's folder is missing or invalid */
export function providerOf(catalogue: Catalogue, integration: Pick<Integration, 'provider'>): Provider {
  const provider = catalogue.find(integration.provider);
  if (provider !== undefined) return provider;
  throw new ServiceError(
    'not_found',
    `the provider "${integration.provider}" is not in the catalogue; see the service's start-up log`,
  );
}

/**
 * Notifies every instance that an integration was created, changed or deleted; the notice is sent when the transaction commits.
 */
export function announceIntegration(
  { notices }: { readonly notices: Pick<Notices, 'publish'> },
  trx: Knex,
  { environmentId, uniqueKey }: Pick<Integration, 'environmentId' | 'uniqueKey'>,
): Promise<void> {
  return notices.publish(trx, INTEGRATION_TOPIC, `${environmentId}\n${uniqueKey}\n`);
}

/** Notifies every instance that all integrations of an environment changed; the notice is sent when the transaction commits. */
export function announceIntegrationsOf(
  { notices }: { readonly notices: Pick<Notices, 'publish'> },
  trx: Knex,
  environmentId: number,
): Promise<void> {
  return notices.publish(trx, INTEGRATION_TOPIC, `${environmentId}\n`);
}

function findProvider(catalogue: Catalogue, slug: string): Provider {
  const provider = catalogue.find(slug);
  const reason = provider === undefined ? whyMissing(catalogue, slug) : provider.unusable;
  if (reason !== undefined) throw wrongProvider(`the provider "${slug}" could not be loaded: ${reason}`);
  if (provider !== undefined) return provider;
  throw wrongProvider(`there is no provider "${slug}"; GET /providers lists them`);
}

function wrongProvider(message: string): ServiceError {
  return new ServiceError('invalid_body', message, { details: [{ code: 'invalid_value', message, path: ['provider'] }] });
}
