import { checkFields, type FormField, type JsonObject } from '#contract';
import { AUTH_MODES } from '../auth-modes/index.ts';
import type { Catalogue, Provider } from '../catalogue/catalogue.ts';
import { type ErrorDetail, ServiceError } from '../errors.ts';
import { type Outbound, OutboundError } from '../kit/outbound.ts';
import type { ClientApp, Integration } from './integration.ts';
import { type IntegrationStoreDeps, insertIntegration, integrationByKey } from './integration-store.ts';

export interface IntegrationDeps extends IntegrationStoreDeps {
  readonly catalogue: Catalogue;
}

export interface IntegrationCreationDeps extends IntegrationDeps {
  readonly outbound: Pick<Outbound, 'check'>;
}

/** What a caller may say of a new integration. */
interface WantedIntegration {
  readonly uniqueKey: string;
  readonly provider: string;
  readonly displayName?: string | undefined;
  readonly forwardWebhooks?: boolean | undefined;
  readonly credentials?: WantedCredentials | undefined;
  readonly integrationConfig?: JsonObject | undefined;
}

interface WantedCredentials {
  readonly type?: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  /** Comma separated, as on the wire. */
  readonly scopes?: string | undefined;
  readonly webhook_secret?: string | undefined;
}

/** @throws ServiceError `invalid_body` (unknown provider, wrong configuration, wrong credentials type), `conflict` (key taken) */
export async function createIntegration(
  deps: IntegrationCreationDeps,
  environmentId: number,
  wanted: WantedIntegration,
): Promise<Integration> {
  const provider = findProvider(deps.catalogue, wanted.provider);
  const integrationConfig = wanted.integrationConfig ?? {};
  checkConfig(deps, provider, integrationConfig);
  checkType(provider, wanted.credentials?.type);
  const created = await insertIntegration(deps, {
    environmentId,
    uniqueKey: wanted.uniqueKey,
    provider: provider.slug,
    displayName: wanted.displayName ?? provider.definition.display_name,
    forwardWebhooks: wanted.forwardWebhooks ?? true,
    client: clientApp(wanted.credentials),
    integrationConfig,
  });
  if (created === undefined)
    throw new ServiceError('conflict', `there is an integration "${wanted.uniqueKey}" already; choose another unique_key`);
  return created;
}

/** @throws ServiceError `unknown_provider_config` */
export async function requireIntegration(
  deps: IntegrationStoreDeps,
  environmentId: number,
  uniqueKey: string,
): Promise<Integration> {
  const integration = await integrationByKey(deps, environmentId, uniqueKey);
  if (integration === undefined) throw unknownIntegration(uniqueKey);
  return integration;
}

export function unknownIntegration(uniqueKey: string): ServiceError {
  return new ServiceError('unknown_provider_config', `there is no integration "${uniqueKey}" in this environment`);
}

/** The provider of an integration. @throws ServiceError `not_found` when its folder is gone or faulty */
export function providerOf(catalogue: Catalogue, integration: Pick<Integration, 'provider'>): Provider {
  const provider = catalogue.find(integration.provider);
  if (provider !== undefined) return provider;
  throw new ServiceError(
    'not_found',
    `the provider "${integration.provider}" is not in the catalogue; see the service's start-up log`,
  );
}

function findProvider(catalogue: Catalogue, slug: string): Provider {
  const provider = catalogue.find(slug);
  if (provider !== undefined && provider.definition.auth_mode in AUTH_MODES) return provider;
  const message = `there is no provider "${slug}"; GET /providers lists them`;
  throw new ServiceError('invalid_body', message, { details: [{ code: 'invalid_value', message, path: ['provider'] }] });
}

function checkConfig(deps: IntegrationCreationDeps, provider: Provider, config: JsonObject): void {
  const faults = [
    ...checkFields(provider.definition.integration_config, config),
    ...plainHttpFaults(deps.outbound, provider.definition.integration_config ?? {}, config),
  ];
  if (faults.length === 0) return;
  const details = faults.map((fault) => ({ ...fault, path: ['integration_config', ...fault.path] }));
  throw new ServiceError('invalid_body', `integration_config does not fit the provider "${provider.slug}"`, { details });
}

/** Plain http is refused here already, not only when a secret would be sent over it. */
function plainHttpFaults(
  outbound: Pick<Outbound, 'check'>,
  fields: Readonly<Record<string, FormField>>,
  config: JsonObject,
): ErrorDetail[] {
  return Object.entries(fields).flatMap(([name, { format, title }]) => {
    const url = format === 'uri' ? URL.parse(String(config[name])) : null;
    if (url?.protocol !== 'http:' || mayBeCalled(outbound, url)) return [];
    return [{ code: 'address_not_allowed', message: `${title} must begin with https://`, path: [name] }];
  });
}

function mayBeCalled(outbound: Pick<Outbound, 'check'>, url: URL): boolean {
  try {
    outbound.check(url);
    return true;
  } catch (error) {
    if (error instanceof OutboundError) return false;
    throw error;
  }
}

function checkType(provider: Provider, type: string | undefined): void {
  const mode = provider.definition.auth_mode;
  if (type === undefined || type === mode) return;
  const message = `credentials of the provider "${provider.slug}" have the type ${mode}`;
  throw new ServiceError('invalid_body', message, {
    details: [{ code: 'invalid_value', message, path: ['credentials', 'type'] }],
  });
}

function clientApp(credentials: WantedCredentials = {}): ClientApp {
  return {
    ...(credentials.client_id !== undefined && { clientId: credentials.client_id }),
    ...(credentials.client_secret !== undefined && { clientSecret: credentials.client_secret }),
    scopes: splitScopes(credentials.scopes),
    ...(credentials.webhook_secret !== undefined && { webhookSecret: credentials.webhook_secret }),
  };
}

function splitScopes(scopes: string | undefined): string[] {
  return (scopes ?? '')
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
}
