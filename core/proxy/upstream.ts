import { effectiveDefinition, type ProxyRules } from '#contract';
import { fillProviderUrl, type TemplateSource } from '../auth-modes/building-blocks/provider-template.ts';
import {
  type CredentialHeader,
  type CredentialHeaders,
  credentialHeaders,
  credentialQuery,
} from '../auth-modes/credential-headers.ts';
import { modeOf } from '../auth-modes/index.ts';
import { validityOf } from '../auth-modes/validity.ts';
import type { FoundConnection } from '../connections/connection-cache.ts';
import { modeInput } from '../connections/integrations/mode-input.ts';
import { ServiceError } from '../errors.ts';
import type { ClientCertificate } from '../kit/client-certificate.ts';
import { TemplateError } from '../kit/template.ts';
import type { ProxyDeps } from './deps.ts';
import { toServiceError } from './fault.ts';
import type { AppliedCredentials } from './request-headers.ts';
import type { RetryHints } from './retry-policy.ts';
import { type AddedQuery, addedQuery, type Base, toBase } from './target.ts';

/** Data that all calls of one connection share until its credentials or its integration change. */
export interface Upstream extends FoundConnection {
  /** The base URL, or the reason why there is none: a call may still set another base URL. */
  readonly base: Base | ServiceError;
  /** Hosts that a call may set as its base URL. */
  readonly allowedHosts: readonly string[];
  readonly credentials: AppliedCredentials;
  readonly addedQuery: AddedQuery;
  /** The client certificate that is presented on every network connection to the provider. */
  readonly certificate: ClientCertificate | undefined;
  /** The argument of `Outbound.inside`; see there. */
  readonly inside: string | undefined;
  readonly isRefreshable: boolean;
  readonly hints: RetryHints;
  /** Signs a request; undefined for auth modes that do not sign each request. */
  readonly sign: CredentialHeaders['signed'];
  /** True when the signature covers the whole body. */
  readonly signsBody: boolean;
  /** The rules of the provider's plugin. */
  readonly rules: ProxyRules | undefined;
}

/**
 * Prepares what all calls of a connection share.
 *
 * @throws ServiceError `missing_api_url` if the provider has no API, `invalid_credentials` if the credentials fit into no header,
 *   `missing_client_id` if the integration lacks the app with which requests are signed
 */
export function prepareUpstream(
  deps: Pick<ProxyDeps, 'catalogue' | 'plugins' | 'outbound'>,
  { integration, connection }: FoundConnection,
): Upstream {
  // The provider that the connection's row names is not used here, since that row is not authenticated.
  const provider = deps.catalogue.find(integration.provider);
  if (provider?.definition.proxy === undefined) throw missingApiUrl('the provider has no API URL');

  const definition = effectiveDefinition(provider.definition, integration.integrationConfig);
  const { credentials } = connection;
  const mode = modeOf(credentials);
  const { connectionConfig, clientFingerprint } = connection;
  const input = modeInput(integration, provider, { connectionConfig, clientFingerprint, rules: undefined });
  const source = { ...input, definition, credentials: mode.templateValues(credentials) };
  const base = checkedBase(input.inside === undefined ? deps.outbound : deps.outbound.inside(input.inside), source);
  const rules = deps.plugins.of(integration.provider).proxy;
  const signedByPlugin = rules?.sign !== undefined;
  const { fixed, signed, signsBody = false } = credentialHeaders(source, credentials, { signedByPlugin });
  return {
    integration,
    connection,
    base,
    allowedHosts: input.inside === undefined ? allowedHosts(definition, base) : [],
    credentials: toRawHeaders(fixed),
    addedQuery: addedQuery(Object.entries(credentialQuery(source))),
    certificate: mode.certificate?.(credentials, source),
    inside: input.inside,
    isRefreshable: validityOf(credentials).refreshable,
    hints: definition.proxy?.retry ?? {},
    sign: signed,
    signsBody,
    rules,
  };
}

function allowedHosts({ proxy }: TemplateSource['definition'], base: Base | ServiceError): string[] {
  return [...(proxy?.allowed_hosts ?? []), ...(base instanceof ServiceError ? [] : [base.host])];
}

function checkedBase(outbound: Pick<ProxyDeps['outbound'], 'check'>, source: TemplateSource): Base | ServiceError {
  try {
    const url = fillProviderUrl(source.definition.proxy?.base_url ?? '', source);
    outbound.check(url);
    return toBase(url);
  } catch (error) {
    if (error instanceof TemplateError) return missingApiUrl(`the API URL of this connection cannot be built: ${error.message}`);
    return toServiceError(error);
  }
}

function toRawHeaders(headers: readonly CredentialHeader[]): AppliedCredentials {
  return {
    raw: headers.flatMap(({ name, value }) => [name, value]),
    names: new Set(headers.map(({ name }) => name.toLowerCase())),
  };
}

function missingApiUrl(message: string): ServiceError {
  return new ServiceError('missing_api_url', message);
}
