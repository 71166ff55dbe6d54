import { effectiveDefinition, type ProviderDefinition } from '#contract';
import { type CredentialHeader, credentialHeaders, credentialQuery } from '../auth-modes/credential-headers.ts';
import { modeOf } from '../auth-modes/index.ts';
import { fillProviderUrl, type TemplateSource } from '../auth-modes/provider-template.ts';
import type { Connection } from '../connections/connection.ts';
import type { FoundConnection } from '../connections/connection-cache.ts';
import { ServiceError } from '../errors.ts';
import { effectiveClient } from '../integrations/effective-client.ts';
import { TemplateError } from '../kit/template.ts';
import type { Plugins } from '../plugin-host/plugins.ts';
import { toServiceError } from './fault.ts';
import { type Finish, type FinishDeps, finishOf, type RetryRule, retryRuleOf } from './finish.ts';
import type { CredentialHeaders } from './request-headers.ts';
import type { RetryHints } from './retries.ts';
import { type AddedQuery, type Base, toBase } from './target.ts';

/** All that the calls of one connection have in common until its credentials or its integration change. */
export interface Upstream {
  readonly connection: Connection;
  /** @throws ServiceError `missing_api_url`, `address_not_allowed` */
  readonly base: () => Base;
  /** Hosts that a call may name as its base URL. */
  readonly allowedHosts: () => readonly string[];
  readonly credentials: CredentialHeaders;
  readonly addedQuery: AddedQuery;
  readonly isRefreshable: boolean;
  readonly hints: RetryHints;
  /** What each head still needs; undefined for the usual connections, whose credentials are the same for every call. */
  readonly finish: Finish | undefined;
  readonly retryRule: RetryRule | undefined;
}

type KnownProvider = { readonly definition: ProviderDefinition } & Parameters<typeof effectiveClient>[1];

export interface UpstreamDeps extends FinishDeps {
  readonly plugins: Pick<Plugins, 'of'>;
  readonly catalogue: { find(slug: string): KnownProvider | undefined };
}

interface Known {
  readonly integration: FoundConnection['integration'];
  readonly provider: KnownProvider;
  readonly upstream: Upstream;
}

/** By connection snapshot: templates and URLs are worked out once, not for each call. */
const known = new WeakMap<Connection, Known>();

/**
 * @throws ServiceError `missing_api_url` without an API, `invalid_credentials` when they fit into no header, `missing_client_id`
 *   when they need the integration's app to sign with
 */
export function upstreamOf(deps: UpstreamDeps, { integration, connection }: FoundConnection): Upstream {
  // Not the connection's: that one is read from a row without its proof.
  const provider = deps.catalogue.find(integration.provider);
  if (provider?.definition.proxy === undefined) throw missingApiUrl('the provider has no API URL');
  const before = known.get(connection);
  if (before?.integration === integration && before.provider === provider) return before.upstream;

  const upstream = makeUpstream(deps, provider, { integration, connection });
  known.set(connection, { integration, provider, upstream });
  return upstream;
}

function makeUpstream(deps: UpstreamDeps, provider: KnownProvider, { integration, connection }: FoundConnection): Upstream {
  const definition = effectiveDefinition(provider.definition, integration.integrationConfig);
  const { credentials } = connection;
  const mode = modeOf(credentials);
  const source = {
    definition,
    client: effectiveClient(integration, provider),
    integrationConfig: integration.integrationConfig,
    connectionConfig: connection.connectionConfig,
    credentials: mode.templateValues(credentials),
  };
  const base = once(() => checkedBase(deps, source));
  const allowedHosts = once(() => [...(definition.proxy?.allowed_hosts ?? []), ...hostOf(base)]);
  const { fixed, signed } = credentialHeaders(source, credentials);
  const rules = deps.plugins.of(integration.provider).proxy;
  return {
    connection,
    base,
    allowedHosts,
    credentials: credentialParts(fixed),
    addedQuery: addedQuery(source),
    isRefreshable: mode.validity(credentials).refreshable,
    hints: definition.proxy?.retry ?? {},
    finish: finishOf(deps, { connection, signed, rules, allowedHosts }),
    retryRule: retryRuleOf(deps, connection, rules),
  };
}

function checkedBase({ outbound }: UpstreamDeps, source: TemplateSource): Base {
  try {
    const url = fillProviderUrl(source.definition.proxy?.base_url ?? '', source);
    outbound.check(url);
    return toBase(url);
  } catch (error) {
    if (error instanceof TemplateError) throw missingApiUrl(`the API URL of this connection cannot be made: ${error.message}`);
    throw toServiceError(error);
  }
}

/** A call may name another base URL just because there is no default one. */
function hostOf(base: () => Base): readonly string[] {
  try {
    return [base().host];
  } catch {
    return [];
  }
}

function credentialParts(headers: readonly CredentialHeader[]): CredentialHeaders {
  return {
    raw: headers.flatMap(({ name, value }) => [name, value]),
    names: new Set(headers.map(({ name }) => name.toLowerCase())),
  };
}

function addedQuery(source: TemplateSource): AddedQuery {
  const pairs = Object.entries(credentialQuery(source));
  const text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return { text, names: new Set(pairs.map(([name]) => name)) };
}

/** Remembers a value, not a failure. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function missingApiUrl(message: string): ServiceError {
  return new ServiceError('missing_api_url', message);
}
